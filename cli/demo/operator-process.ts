import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sleep, systemClock } from '../../operator/runtime/ports/clock.js';
import { freePort } from '../../operator/testing/control-plane/free-port.js';
import { GuardedProcess } from '../../operator/testing/control-plane/guarded-process.js';

/** Milliseconds to wait until the operator is ready after its start. */
const patience = 30_000;
const pause = 50;
/** Milliseconds for running reconciles to finish after SIGTERM. */
const grace = 5_000;

const program = fileURLToPath(new URL('../../operator/main.js', import.meta.url));
const pidFile = 'operator.pid';
const never = new AbortController().signal;

type Page = 'health' | 'metrics';

/** Options of the operator process. */
export interface OperatorProcessProps {
  /** The kubeconfig of the operator. */
  readonly kubeconfig: { readonly path: string } | { readonly text: string };
  /** Command line arguments beside the ports. */
  readonly args: readonly string[];
}

/**
 * The operator in a process of its own, which is restarted when it exits, like a kubelet does.
 *
 * Guarantees: it does not outlive this process, even if that is killed. It serves health and metrics on free ports.
 */
export class OperatorProcess implements AsyncDisposable {
  readonly #folder: string;
  readonly #command: readonly string[];
  readonly #ready: string;
  /** Address of its metrics, in the Prometheus format. */
  readonly metrics: string;
  #process: GuardedProcess;
  #pid = 0;
  #starts = 0;
  #stopping = false;

  private constructor(
    folder: string,
    { command, ports }: { readonly command: readonly string[]; readonly ports: Readonly<Record<Page, number>> },
  ) {
    this.#folder = folder;
    this.#command = [...command, `--health-port=${ports.health}`, `--metrics-port=${ports.metrics}`];
    this.#ready = `http://127.0.0.1:${ports.health}/readyz`;
    this.metrics = `http://127.0.0.1:${ports.metrics}/metrics`;
    this.#process = this.#spawn();
  }

  /** Resolves when the operator is ready. @throws {Error} with the end of its log, if it does not become ready */
  static async start({ kubeconfig, args }: OperatorProcessProps): Promise<OperatorProcess> {
    const ports = { health: await freePort(), metrics: await freePort() };
    const folder = await mkdtemp(join(tmpdir(), 'reconstruct-demo-'));
    const path = 'path' in kubeconfig ? kubeconfig.path : join(folder, 'operator.kubeconfig');
    if ('text' in kubeconfig) await writeFile(path, kubeconfig.text, { mode: 0o600 });
    const command = ['env', `KUBECONFIG=${path}`, process.execPath, program, ...args];
    const operator = new OperatorProcess(folder, { command, ports });
    try {
      await operator.#untilReady();
      return operator;
    } catch (error) {
      await operator.stop();
      throw error;
    }
  }

  /** Its process id; 0 while it starts. */
  get pid(): number {
    return this.#pid;
  }

  /** Number of starts. */
  get starts(): number {
    return this.#starts;
  }

  /** Path of its log: JSON, one object per line. */
  get log(): string {
    return this.#process.log;
  }

  /**
   * Restarts the operator when it exits, until {@link stop}.
   *
   * @param restarted called when it is ready again
   * @throws {Error} with the end of its log, if it exits before it is ready
   */
  async keep(restarted: () => void): Promise<void> {
    for (;;) {
      await this.#process.exited;
      if (this.#stopping) return;
      this.#process = this.#spawn();
      await this.#untilReady();
      if (!this.#stopping) restarted();
    }
  }

  /** Stops the operator gracefully and deletes its files. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#process.running && this.#pid > 0) {
      process.kill(this.#pid, 'SIGTERM');
      await Promise.race([this.#process.exited, sleep(systemClock, grace, never)]);
    }
    await this.#process.dispose();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #spawn(): GuardedProcess {
    this.#starts++;
    this.#pid = 0;
    // The guard is the parent process, so the shell writes down the process ID of the operator itself.
    const command = ['/bin/sh', '-c', `echo $$ >${pidFile}; exec "$@"`, 'operator', ...this.#command];
    return new GuardedProcess({ name: 'operator', command, folder: this.#folder });
  }

  async #untilReady(): Promise<void> {
    const deadline = systemClock.monotonic() + patience;
    while (!(await answers(this.#ready))) {
      if (this.#stopping) return;
      if (!this.#process.running || systemClock.monotonic() > deadline) {
        throw new Error(`the operator did not become ready; end of its log:\n${await this.#process.lastLines()}`);
      }
      await sleep(systemClock, pause, never);
    }
    this.#pid = Number(await readFile(join(this.#folder, pidFile), 'utf8'));
  }
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
