import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A shell that runs one component and holds the read end of a pipe. Only this process has the write end.
 * A line in the pipe requests the end of the component. The end of the pipe, which follows every death of this process,
 * also requests the deletion of the folder. Each guard deletes the folder after its own component is dead, so that no
 * component still writes into it when the last guard does. Messages of the shell itself do not go into the log.
 * Once the watcher has read, it ignores SIGTERM, which would lose the reason. A component that leads a process group of its
 * own, for example by `setsid`, ends with all processes in it.
 */
const guard = `
folder=$1; shift
exec 3<&0 0</dev/null
"$@" 3<&- & component=$!
exec 2>/dev/null
(read -r _ <&3; closed=$?; trap '' TERM; kill -9 -$component || kill -9 $component; exit $closed) & watcher=$!
exec 3<&-
wait $component; code=$?
kill $watcher; wait $watcher
[ $? -eq 1 ] && rm -rf "$folder"
exit $code`;

/** The command and its folder. */
export interface GuardedProcessProps {
  /** Name of the component and of its log file. */
  readonly name: string;
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Working folder, which contains the log. It is deleted after this process is gone. */
  readonly folder: string;
}

/**
 * A component that does not outlive this process, even if that is killed with SIGKILL.
 *
 * It runs in a session of its own, so a Ctrl-C in the terminal reaches only this process.
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
    // A component that exited has closed the pipe, so a write error is expected.
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

  /** Kills the component with SIGKILL and keeps the folder. */
  async kill(): Promise<void> {
    this.#shell.stdin?.write('end\n');
    await this.exited;
  }

  /** Kills the component with SIGKILL and deletes the folder. */
  async dispose(): Promise<void> {
    this.#shell.stdin?.end();
    await this.exited;
  }

  /** The last lines of the log, for an error message. */
  async lastLines(count = 15): Promise<string> {
    const text = await readFile(this.log, 'utf8');
    return text.trimEnd().split('\n').slice(-count).join('\n');
  }
}
