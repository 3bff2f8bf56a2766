import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GuardedProcess } from '../../operator/testing/control-plane/guarded-process.js';
import type { FaultProxy } from '../../operator/testing/faults/fault-proxy.js';
import { until } from './wait.js';

/** How a replica of the operator is run. */
export interface ReplicaProps {
  readonly name: string;
  /** Where its log and its process id are; shared with the other replicas. */
  readonly folder: string;
  /** The compiled program. */
  readonly program: string;
  /** Flags beside the port of its metrics. */
  readonly flags: readonly string[];
  readonly metricsPort: number;
  /** The kubeconfig that it acts with, by way of its proxy. */
  readonly kubeconfig: string;
  readonly proxy: FaultProxy;
}

/** A line that an operator logged. */
export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly error?: string;
  readonly [field: string]: unknown;
}

/**
 * One replica of the operator: a process that is killed, stopped, resumed, ended and started again. Each of its lives
 * signs its requests, as `replica-1/3`, so that the audit log tells them apart.
 */
export class Replica {
  /** How many processes it was. */
  lives = 0;
  /** Passes of each life, as last seen. */
  readonly #passes = new Map<number, number>();
  /** The unexpected exits, a line each. The process is restarted after each, as a kubelet does. */
  readonly crashes: string[] = [];
  #process: GuardedProcess | undefined;
  #paused = false;
  #asked = false;

  constructor(readonly props: ReplicaProps) {}

  get running(): boolean {
    return (this.#process?.running ?? false) && !this.#paused;
  }

  /** Passes of all of its lives; those of a life's last second may be missing. */
  get passes(): number {
    return [...this.#passes.values()].reduce((sum, passes) => sum + passes, 0);
  }

  start(): void {
    const { name, folder, program, flags, metricsPort, kubeconfig, proxy } = this.props;
    this.lives++;
    proxy.sign(`${name}/${this.lives}`);
    const command = [
      ...['/bin/sh', '-c', 'echo $$ >"$0"; exec "$@"', this.#pidFile],
      ...['env', `KUBECONFIG=${kubeconfig}`, process.execPath, program, ...flags, `--metrics-port=${metricsPort}`],
    ];
    this.#process = new GuardedProcess({ name, command, folder });
    this.#asked = false;
    void this.#process.exited.then((code) => {
      if (this.#asked) return;
      this.crashes.push(`${name}/${this.lives} ended by itself with code ${code}`);
      this.start();
    });
  }

  /** Ends it with SIGKILL. */
  async kill(): Promise<void> {
    this.#asked = true;
    await this.#process?.kill();
    this.#paused = false;
  }

  /** Stops it where it is (SIGSTOP), until {@link resume}. */
  async pause(): Promise<void> {
    process.kill(await this.#pid(), 'SIGSTOP');
    this.#paused = true;
  }

  async resume(): Promise<void> {
    this.#paused = false;
    if (this.#process?.running) process.kill(await this.#pid(), 'SIGCONT');
  }

  /** Asks it to end, once it listens to such. @returns its exit code */
  async terminate(): Promise<number> {
    const listens = async () => (await this.metrics()) !== undefined;
    await until(listens, { what: `${this.props.name} answers`, within: 60_000 });
    this.#asked = true;
    process.kill(await this.#pid(), 'SIGTERM');
    return (await this.#process?.exited) ?? 0;
  }

  /** Whether its last log line about the lease reports that it leads. */
  async leads(): Promise<boolean> {
    const said = (await this.log()).map(({ msg }) => msg);
    const since = said.lastIndexOf('Operator started');
    return (
      this.running &&
      said.lastIndexOf('Successfully acquired lease') > Math.max(since, said.lastIndexOf('Stopped leading'))
    );
  }

  /** The output of all of its processes. */
  async log(): Promise<readonly LogLine[]> {
    const text = await readFile(join(this.props.folder, `${this.props.name}.log`), 'utf8').catch(() => '');
    return text.split('\n').filter(Boolean).map(parsed);
  }

  /** Its metrics in the Prometheus format. Undefined without an answer. */
  async metrics(): Promise<string | undefined> {
    const { lives } = this;
    const asked = fetch(`http://127.0.0.1:${this.props.metricsPort}/metrics`, { signal: AbortSignal.timeout(1000) });
    const text = await asked.then((answer) => answer.text()).catch(() => undefined);
    const counts = [...(text ?? '').matchAll(/^controller_runtime_reconcile_total\{.*\} (\d+)$/gm)];
    if (text !== undefined) {
      this.#passes.set(
        lives,
        counts.reduce((sum, [, count]) => sum + Number(count), 0),
      );
    }
    return text;
  }

  get #pidFile(): string {
    return join(this.props.folder, `${this.props.name}.${this.lives}.pid`);
  }

  /** A process that has just been started has not written it yet. */
  async #pid(): Promise<number> {
    const read = async () => Number(await readFile(this.#pidFile, 'utf8').catch(() => '0'));
    await until(async () => (await read()) > 0, { what: `${this.props.name} has a process id`, within: 10_000 });
    return read();
  }
}

function parsed(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { level: 'stderr', msg: line }; // a warning of Node, or the end of a line whose process was killed
  }
}
