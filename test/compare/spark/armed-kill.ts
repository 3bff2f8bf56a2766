import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The line by which the command in the container tells that it waits. */
export const isArmed = 'armed';

/** A command in a container that kills a process as soon as it is told to, without the time that its own start takes. */
export class ArmedKill {
  private constructor(readonly child: ChildProcessWithoutNullStreams) {}

  /**
   * @param args of kubectl. The command prints {@link isArmed}, waits for a line, and kills
   * @param line of shell for kubectl. @default - as for all tests
   * @throws {Error} if the command does not wait
   */
  static async start(
    args: readonly string[],
    line = process.env['RECONSTRUCT_KUBECTL'] || 'kubectl',
  ): Promise<ArmedKill> {
    const child = spawn('/bin/sh', ['-c', `${line} "$@"`, 'sh', ...args], { stdio: 'pipe' });
    child.stdin.on('error', () => {}); // it dies with what it kills
    child.stderr.resume();
    const said = once(createInterface(child.stdout), 'line').then(([text]) => String(text));
    const ended = once(child, 'exit').then(() => 'nothing: it ended');
    const answer = await Promise.race([said, ended]);
    if (answer !== isArmed) throw new Error(`the command in the container must say ${isArmed}, got ${answer}`);
    return new ArmedKill(child);
  }

  /** Kills. */
  fire(): void {
    this.child.stdin.write('fire\n');
  }

  /** Resolves when the command is gone. It kills nothing unless it was told to. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.stdin.end();
    await gone;
  }
}
