import { rm } from 'node:fs/promises';
import type { Binaries, Component } from '../binaries/binary-source.js';
import { commandLine, type Flags } from './component-flags.js';
import { GuardedProcess } from './guarded-process.js';

/** The components of one control plane, which share a data folder and end with it. */
export class RunningComponents {
  readonly #processes = new Map<Component, GuardedProcess>();

  constructor(
    readonly folder: string,
    readonly binaries: Binaries,
  ) {}

  /** Starts a component that does not run. What it says is appended to its log. */
  start(component: Component, flags: Flags): GuardedProcess {
    if (this.#processes.get(component)?.running) throw new Error(`${component} runs already: end it first`);
    const program = this.binaries[component];
    if (program === undefined) throw new Error(`there is no ${component} among the binaries`);
    const command = [...program, ...commandLine(flags)];
    const process = new GuardedProcess({ name: component, command, folder: this.folder });
    this.#processes.set(component, process);
    return process;
  }

  /** Ends a component with SIGKILL, where it runs. The data stay. */
  async kill(component: Component): Promise<void> {
    const process = this.#processes.get(component);
    if (process?.running) await process.kill();
  }

  /** @throws {Error} with the end of the log, when a component that was started has ended by itself */
  async assertRunning(): Promise<void> {
    for (const [component, process] of this.#processes) {
      if (process.running) continue;
      throw new Error(
        `${component} ended with code ${await process.exited}; its log ends so:\n${await process.lastLines()}`,
      );
    }
  }

  /** The end of the log of each component, for the message of an error. */
  async lastLines(): Promise<string> {
    const texts = [...this.#processes].map(
      async ([component, process]) => `${component}:\n${await process.lastLines()}`,
    );
    return (await Promise.all(texts)).join('\n');
  }

  /** Ends everything and removes the folder. */
  async dispose(): Promise<void> {
    await Promise.all([...this.#processes.values()].map((process) => process.dispose()));
    await rm(this.folder, { recursive: true, force: true });
  }
}
