import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { freePort } from '../../../operator/testing/control-plane/free-port.js';
import type { ClusterAccess, FaultProxy } from '../../../operator/testing/index.js';
import { operatorProgram } from '../../given/build.js';
import { account, install, installedFlags, installedOnce, operatorUser } from './installation.js';

export { install, installedOnce, operatorUser };

/**
 * Installs and runs the operator for the tests of a file, and returns it once it leads. In the end it must have been
 * denied nothing.
 */
export function givenOperator(controlPlane: () => ClusterAccess, ...flags: readonly string[]): () => OperatorProcess {
  let operator: OperatorProcess | undefined;
  let since = 0;
  beforeAll(async () => {
    await installedOnce(controlPlane());
    since = await controlPlane().auditPosition();
    operator = await OperatorProcess.start(controlPlane(), ...flags);
    await operator.untilSaid('Successfully acquired lease');
  });
  afterAll(async () => {
    await operator?.stop();
    expect(await deniedOf(controlPlane(), since), 'what the operator was denied').toEqual([]);
  });
  return () => {
    if (operator) return operator;
    throw new Error('the operator runs only while tests do');
  };
}

/** What the operator may not do and tried, in a line each. @param since a position in the audit log */
export async function deniedOf(controlPlane: ClusterAccess, since = 0): Promise<readonly string[]> {
  const requests = await controlPlane.requests(since);
  return requests
    .filter(({ user, denied }) => user === operatorUser && denied)
    .map(({ verb, uri }) => `${verb} ${uri}`);
}

/** A module that stops its process when that is asked to stop, by itself and so between two turns. */
const freezable = `data:text/javascript,process.on('SIGUSR2',()=>process.kill(process.pid,'SIGSTOP'))`;

/** A line that the operator logged. */
export interface LogLine {
  readonly level: string;
  /** RFC 3339. */
  readonly time?: string;
  readonly msg: string;
  /** Of what it speaks: `Algorithm.ai.alien6.io`. */
  readonly kind?: string;
  readonly error?: string;
}

/**
 * The operator in a process of its own, under the rights and with the flags that `dist/` gives it, but for its ports,
 * which are free ones.
 */
export class OperatorProcess {
  readonly log: LogLine[] = [];
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | null>;

  private constructor(
    child: ChildProcess,
    readonly ports: { readonly metrics: number; readonly health: number },
  ) {
    this.#child = child;
    this.#exited = once(child, 'exit').then(([code]) => code as number | null);
    const killed = () => child.kill('SIGKILL');
    process.once('exit', killed);
    child.once('exit', () => process.off('exit', killed));
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface(stream).on('line', (line) => this.log.push(parsed(line)));
    }
  }

  /** Starts one with a token of its own. @param flags override those of `dist/` */
  static async start(controlPlane: ClusterAccess, ...flags: readonly string[]): Promise<OperatorProcess> {
    return OperatorProcess.#startAs(await controlPlane.serviceAccountKubeconfig(account), flags);
  }

  /** Starts one that reaches the API server by way of a proxy. @param flags override those of `dist/` */
  static async startThrough(proxy: FaultProxy, ...flags: readonly string[]): Promise<OperatorProcess> {
    const direct = await proxy.controlPlane.serviceAccountKubeconfig(account);
    return OperatorProcess.#startAs(await proxy.kubeconfig(direct), flags);
  }

  static async #startAs(KUBECONFIG: string, flags: readonly string[]): Promise<OperatorProcess> {
    const ports = { metrics: await freePort(), health: await freePort() };
    const own = [
      `--lease-namespace=${account.namespace}`,
      `--metrics-port=${ports.metrics}`,
      `--health-port=${ports.health}`,
    ];
    const child = spawn(
      process.execPath,
      ['--import', freezable, operatorProgram, ...installedFlags(), ...own, ...flags],
      {
        env: { KUBECONFIG },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    return new OperatorProcess(child, ports);
  }

  /** Resolves when its caches are filled. */
  async untilReady(): Promise<this> {
    const url = `http://127.0.0.1:${this.ports.health}/readyz`;
    const ready = async () => (await fetch(url).catch(() => undefined))?.ok ?? this.#endedBy();
    await vi.waitFor(async () => expect(await ready()).toBe(true), { timeout: 120_000, interval: 20 });
    return this;
  }

  /** Resolves when it has said so, of a kind if one is named. @param after a length of the log */
  async untilSaid(msg: string, { kind = '', after = 0, timeout = 120_000 } = {}): Promise<this> {
    const isIt = (line: LogLine) => line.msg === msg && (kind === '' || line.kind === kind);
    const said = () => this.log.slice(after).some(isIt) || this.#endedBy();
    await vi.waitFor(() => expect(said()).toBe(true), { timeout, interval: 20 });
    return this;
  }

  /** Passes that it has made, as its metrics tell. */
  async passes(): Promise<number> {
    return this.#sumOf('controller_runtime_reconcile_total');
  }

  /** Times that it took a resource up, those included that found nothing to make a pass for. */
  async looks(): Promise<number> {
    return this.#sumOf('workqueue_queue_duration_seconds_count');
  }

  async #sumOf(metric: string): Promise<number> {
    const page = async () => (await fetch(`http://127.0.0.1:${this.ports.metrics}/metrics`)).text();
    const kept = await page();
    let made = kept; // A page is told again for a while. One that differs from it was made since.
    while (made === kept) made = await page();
    const counts = [...made.matchAll(new RegExp(`^${metric}\\{.*\\} (\\d+)$`, 'gm'))];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** Asks it to end, and returns its exit code. */
  async stop(): Promise<number | null> {
    this.signal('SIGTERM');
    return this.#exited;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /**
   * Stops it where it is between two turns of its event loop, as by SIGSTOP, until a SIGCONT. What stops it in the
   * microseconds between the last look at the lease and the system call that sends a write lets that write out when it
   * goes on, and no process can help that.
   */
  async freeze(): Promise<void> {
    this.signal('SIGUSR2');
    const state = async () => /\) (\w) /.exec(await readFile(`/proc/${this.#child.pid}/stat`, 'utf8'))?.[1];
    await vi.waitFor(async () => expect(await state()).toBe('T'), { timeout: 120_000, interval: 5 });
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** What it said last, once it has ended by itself; else false. */
  #endedBy(): string | false {
    return this.#child.exitCode === null ? false : `it has ended: ${this.log.at(-1)?.msg}`;
  }
}

function parsed(line: string): LogLine {
  return line.startsWith('{') ? JSON.parse(line) : { level: 'stderr', msg: line };
}
