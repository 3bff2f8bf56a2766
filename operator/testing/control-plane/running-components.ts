import { rm } from 'node:fs/promises';
import type { Binaries, Component } from '../binaries/binary-source.js';
import { commandLine, type Flags } from './component-flags.js';
import { GuardedProcess } from './guarded-process.js';

/** The components of one control plane, which share a data folder. */
export class RunningComponents {
  readonly #processes = new Map<Component, GuardedProcess>();

  constructor(
    readonly folder: string,
    readonly binaries: Binaries,
  ) {}

  /** Starts a component that is not running. Its output is appended to its log. */
  start(component: Component, flags: Flags): GuardedProcess {
    if (this.#processes.get(component)?.running) throw new Error(`${component} is already running; stop it first`);
    const program = this.binaries[component];
    if (program === undefined) throw new Error(`the binaries do not include ${component}`);
    const command = [...program, ...commandLine(flags)];
    const process = new GuardedProcess({ name: component, command, folder: this.folder });
    this.#processes.set(component, process);
    return process;
  }

  /** Kills a component with SIGKILL if it is running. Its data remain. */
  async kill(component: Component): Promise<void> {
    const process = this.#processes.get(component);
    if (process?.running) await process.kill();
  }

  /** @throws {Error} with the end of the log, if a started component has exited */
  async assertRunning(): Promise<void> {
    for (const [component, process] of this.#processes) {
      if (process.running) continue;
      throw new Error(
        `${component} exited with code ${await process.exited}; end of its log:\n${await process.lastLines()}`,
      );
    }
  }

  /** The end of the log of each component, for an error message. */
  async lastLines(): Promise<string> {
    const texts = [...this.#processes].map(
      async ([component, process]) => `${component}:\n${await process.lastLines()}`,
    );
    return (await Promise.all(texts)).join('\n');
  }

  /** Stops all components and deletes the folder. */
  async dispose(): Promise<void> {
    await Promise.all([...this.#processes.values()].map((process) => process.dispose()));
    await rm(this.folder, { recursive: true, force: true });
  }
}
