import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A shell that runs one component and holds the read end of a pipe whose write end only this process has.
 * A line in the pipe asks for the component's end. The end of the pipe, which comes however this process dies,
 * asks for the folder's removal too. Each guard removes the folder after its own component is dead, so that
 * the last of them finds nobody who still writes in it. What the shell itself has to say is no part of the log.
 */
const guard = `
folder=$1; shift
exec 3<&0 0</dev/null
"$@" 3<&- & component=$!
exec 2>/dev/null
(read -r _ <&3; closed=$?; kill -9 $component; exit $closed) & watcher=$!
exec 3<&-
wait $component; code=$?
kill $watcher; wait $watcher
[ $? -eq 1 ] && rm -rf "$folder"
exit $code`;

/** What to run, and where. */
export interface GuardedProcessProps {
  /** Name of the component; its log file is called like it. */
  readonly name: string;
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Working folder and home of the log; removed when this process is gone. */
  readonly folder: string;
}

/**
 * A component that does not outlive this process, even if that is killed with SIGKILL.
 *
 * It runs in a session of its own: a Ctrl-C in the terminal reaches this process alone, whose end then ends it.
 */
export class GuardedProcess {
  readonly log: string;
  /** Resolves with the exit code of the component. */
  readonly exited: Promise<number>;
  readonly #shell: ChildProcess;
  #running = true;

  constructor({ name, command, folder }: GuardedProcessProps) {
    this.log = join(folder, `${name}.log`);
    const log = openSync(this.log, 'a');
    this.#shell = spawn('/bin/sh', ['-c', guard, name, folder, ...command], {
      cwd: folder,
      detached: true,
      stdio: ['pipe', log, log],
    });
    closeSync(log);
    // A component that died by itself has closed the pipe: writing to it is no error.
    this.#shell.stdin?.on('error', () => {});
    this.exited = once(this.#shell, 'exit').then(([code]) => {
      this.#running = false;
      return Number(code);
    });
    this.exited.catch(() => {});
  }

  get running(): boolean {
    return this.#running;
  }

  /** Ends the component with SIGKILL, and leaves the folder as it is. */
  async kill(): Promise<void> {
    this.#shell.stdin?.write('end\n');
    await this.exited;
  }

  /** Ends the component with SIGKILL and removes the folder. */
  async dispose(): Promise<void> {
    this.#shell.stdin?.end();
    await this.exited;
  }

  /** The last lines of the log, for the message of an error. */
  async lastLines(count = 15): Promise<string> {
    const text = await readFile(this.log, 'utf8');
    return text.trimEnd().split('\n').slice(-count).join('\n');
  }
}
