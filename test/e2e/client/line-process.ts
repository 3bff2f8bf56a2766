import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A Node.js program that prints lines of JSON, and ends when its input does. */
export class LineProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #isStopping = false;

  /** @param args the program and its arguments */
  constructor(
    args: readonly string[],
    readonly onLine: (line: unknown) => void,
  ) {
    // In a group of its own, so that Ctrl-C leaves it time to tell what it has counted.
    this.#child = spawn(process.execPath, args, { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdin, stdout } = this.#child;
    if (!stdin || !stdout) throw new Error('the process has no pipes');
    stdin.on('error', () => {}); // told by stop
    const lines = createInterface({ input: stdout });
    lines.on('line', (line) => this.onLine(JSON.parse(line)));
    this.#ended = Promise.all([once(this.#child, 'exit'), once(lines, 'close')]).then(([[code]]) => code);
    this.#ended.catch(() => {}); // told by stop
  }

  /** Resolves when it has ended by itself. @returns its exit code */
  get ended(): Promise<number | null> {
    return this.#ended;
  }

  write(line: object): void {
    this.#child.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  /** Resolves when it has ended, and all its lines were heard. @throws {Error} if it failed, or ended earlier by itself */
  async stop(): Promise<void> {
    const isEarly = !this.#isStopping && this.#child.exitCode !== null;
    this.#isStopping = true;
    this.#child.stdin?.end();
    const code = await this.#ended;
    if (isEarly || code !== 0) throw new Error(`${this.#child.spawnargs[1]} ended by itself with exit code ${code}`);
  }
}
