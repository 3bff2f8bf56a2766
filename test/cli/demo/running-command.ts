import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { build } from '../../given/build.js';
import { alive, descendantsOf } from '../../processes.js';

/** The `reconstruct` command in a process of its own, with a temporary folder of its own. */
export class RunningCommand implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #temporary = mkdtempSync(join(tmpdir(), 'command-'));
  #stdout = '';
  #stderr = '';
  readonly exited: Promise<number | null>;

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, [join(build, 'cli', 'main.js'), ...args], {
      env: { ...process.env, TMPDIR: this.#temporary },
      detached: true,
    });
    this.#child.stdout?.on('data', (text) => {
      this.#stdout += text;
    });
    this.#child.stderr?.on('data', (text) => {
      this.#stderr += text;
    });
    this.exited = once(this.#child, 'close').then(([code]) => code as number | null);
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get lines(): readonly string[] {
    return this.#stdout.split('\n');
  }

  /** Everything that it has started, and what that has. */
  get started(): readonly number[] {
    return descendantsOf(this.#child.pid ?? 0);
  }

  /** Resolves when the output has a text. */
  async said(text: string | RegExp, since = 0): Promise<void> {
    const isSaid = () => {
      const recent = this.#stdout.slice(since);
      return typeof text === 'string' ? recent.includes(text) : text.test(recent);
    };
    await vi.waitUntil(() => isSaid() || this.#child.exitCode !== null, { timeout: 120_000 });
    if (!isSaid()) throw new Error(`it ended without saying ${text}:\n${this.#stdout}${this.#stderr}`);
  }

  /** As a terminal does it: to the whole group of processes. */
  signal(name: NodeJS.Signals): void {
    process.kill(-(this.#child.pid ?? 0), name);
  }

  /** Resolves when nothing that it started runs, and none of its files is there. */
  async nothingLeft(started: readonly number[]): Promise<void> {
    const isGone = () => !started.some(alive) && readdirSync(this.#temporary).length === 0;
    await vi.waitUntil(isGone, { timeout: 120_000 });
  }

  /** Ends it even if the test failed. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.signal('SIGKILL');
    await this.exited;
    rmSync(this.#temporary, { recursive: true, force: true });
  }
}
