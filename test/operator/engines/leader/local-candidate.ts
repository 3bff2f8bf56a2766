import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { roleAnnotation, termAnnotation } from '../../../../operator/controllers/leader/ports/roles.js';
import { Pod } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { MemoryCluster } from '../../../../operator/testing/index.js';
import { candidateUser, LeaseServer, tokenOf } from './lease-server.js';

/** What a candidate is started with. */
export interface CandidateProps {
  readonly memory: MemoryCluster;
  readonly name: string;
  readonly address: string;
  readonly folder: string;
  readonly launcher: string;
  /** The program of the server, and its flags. */
  readonly server: readonly string[];
}

/** The namespace of all candidates, and the port of their servers. */
export const namespace = 'shop';
export const redisPort = 6379;
/** Milliseconds between two looks of the kubelet. */
const period = 100;

/**
 * A Pod of a cluster in memory with a real launcher and a real server: this is its kubelet, which writes the files of the
 * downward API, reports whether the Pod is ready, and starts the container again when it ends.
 */
export class LocalCandidate {
  #process: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #isRemoved = false;
  #isReady: boolean | undefined;
  #running: Promise<void> = Promise.resolve();

  private constructor(
    readonly props: CandidateProps,
    readonly api: LeaseServer,
    readonly uid: string,
  ) {}

  static async create(props: CandidateProps): Promise<LocalCandidate> {
    const { memory, name, folder } = props;
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'token'), tokenOf(candidateUser));
    await writeFile(join(folder, 'role'), '');
    const pod = {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels: { app: 'cache' } } },
      spec: { nodeName: `node-of-${name}`, containers: [{ name: 'redis', image: 'redis' }] },
    };
    const { uid } = (await memory.create(Pod, pod as never, { manager: 'somebody' })).metadata;
    const candidate = new LocalCandidate(props, await LeaseServer.start(memory), uid);
    await candidate.#report(false);
    candidate.#start();
    candidate.#running = candidate.#keep();
    return candidate;
  }

  get name(): string {
    return this.props.name;
  }

  get address(): string {
    return this.props.address;
  }

  /** Signals the launcher and its server. */
  signal(signal: NodeJS.Signals): void {
    this.#send(-(this.#process?.pid ?? 0), signal);
  }

  signalLauncher(signal: NodeJS.Signals): void {
    this.#send(this.#process?.pid ?? 0, signal);
  }

  signalServer(signal: NodeJS.Signals): void {
    for (const pid of childrenOf(this.#process?.pid ?? 0)) this.#send(pid, signal);
  }

  /** Milliseconds. */
  async freeze(whom: 'signal' | 'signalLauncher' | 'signalServer', long: number): Promise<void> {
    this[whom]('SIGSTOP');
    await pause(long);
    this[whom]('SIGCONT');
  }

  /** Ends the Pod for good. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    this.signal('SIGKILL');
    await this.#ended;
    await this.#running;
    this.api.end();
  }

  log(): Promise<string> {
    return readFile(join(this.props.folder, 'log'), 'utf8');
  }

  #send(pid: number, signal: NodeJS.Signals): void {
    if (pid === 0) return;
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }

  #start(): void {
    const { name, address, folder, launcher, server } = this.props;
    const log = openSync(join(folder, 'log'), 'a');
    const at = (file: string) => join(folder, file);
    const files = ['--role-file', at('role'), '--token-file', at('token'), '--socket-dir', at('run')];
    const api = ['--api-server', this.api.url, '--api-token-file', ''];
    const [program = '', ...flags] = server;
    const own = ['--save', '', '--dir', folder, '--repl-diskless-sync-delay', '0'];
    const command = [program, '--port', `${redisPort}`, ...own, ...flags];
    // The kernel kills the launcher when this process ends, whatever the cause.
    const guarded = [
      '--pdeathsig',
      'KILL',
      '--',
      launcher,
      'run',
      ...files,
      '--loopback=false',
      ...api,
      '--',
      ...command,
    ];
    const env = { ...process.env, POD_NAME: name, POD_UID: this.uid, POD_NAMESPACE: namespace, POD_IP: address };
    this.#process = spawn('setpriv', guarded, { env, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#ended = once(this.#process, 'exit');
  }

  /** What a kubelet does all the time. */
  async #keep(): Promise<void> {
    let files = '';
    while (!this.#isRemoved) {
      if (this.#process?.exitCode !== null || this.#process?.signalCode !== null) {
        this.signal('SIGKILL');
        await this.#report(false);
        if (!this.#isRemoved) this.#start();
      }
      const live = await this.props.memory.read(Pod, { namespace, name: this.name });
      const { [roleAnnotation]: role = '', [termAnnotation]: term = '' } = live?.metadata.annotations ?? {};
      if (files !== role + term) await this.#write({ role, term });
      files = role + term;
      await this.#report(await this.#isHealthy());
      await pause(period);
    }
  }

  async #write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.props.folder, name);
      await writeFile(`${path}.new`, text);
      await rename(`${path}.new`, path);
    }
  }

  async #isHealthy(): Promise<boolean> {
    const signal = AbortSignal.timeout(1_000);
    return fetch(`http://${this.address}:7481/healthz`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async #report(isReady: boolean): Promise<void> {
    if (isReady === this.#isReady) return;
    this.#isReady = isReady;
    const condition = {
      type: 'Ready',
      status: isReady ? 'True' : 'False',
      lastTransitionTime: new Date().toISOString(),
    };
    const value = { podIP: this.address, conditions: [condition] };
    await this.props.memory.patch(Pod, { namespace, name: this.name }, [{ op: 'add', path: '/status', value }], {
      manager: 'kubelet',
      subresource: 'status',
    });
  }
}

/** A child belongs to the thread that has started it. */
function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return []; // It has ended.
  }
}
