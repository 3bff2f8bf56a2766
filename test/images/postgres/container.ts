import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LivePod } from '../../../operator/runtime/index.js';
import { live } from '../../given.js';

/** The output and the exit code of a command. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Who the image's processes are. */
const user = 999;

/** The environment of a process from the image's Dockerfile. */
async function environment(): Promise<readonly string[]> {
  const text = (await readFile('images/postgres/Dockerfile', 'utf8')).replaceAll('\\\n', ' ');
  const said = /^ENV (.*)$/m.exec(text)?.[1];
  if (said === undefined) throw new Error('images/postgres/Dockerfile says no ENV');
  return said.trim().split(/\s+/);
}

/** A container of a Pod, on this machine: it has its own root, and ends with the process that started it. */
export class Container {
  readonly #running: ChildProcess[] = [];

  constructor(
    /** The container's name. */
    readonly name: string,
    /** The folder that is its root. */
    readonly root: string,
    readonly holder: ChildProcess,
    readonly env: readonly string[],
  ) {}

  /** Runs a command in it, to its end. */
  async run(...line: readonly string[]): Promise<Ended> {
    const child = await this.#spawn(line);
    const texts = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream]?.setEncoding('utf8').on('data', (text: string) => {
        texts[stream] += text;
      });
    }
    const [code] = await once(child, 'close');
    return { code: Number(code), ...texts };
  }

  /** Like {@link run}, but fails on an error. @returns the output @throws {Error} with the output on failure */
  async must(...line: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...line);
    if (code !== 0) throw new Error(`${line.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  /** Starts what runs until the container ends. */
  async serve(...line: readonly string[]): Promise<void> {
    this.#running.push(await this.#spawn(line));
  }

  /** What it left in its termination message. */
  said(): Promise<string> {
    return readFile(join(this.root, 'dev', 'termination-log'), 'utf8');
  }

  /** Its Pod with the status of the kubelet after the container ended. */
  async told(pod: string, exitCode: number): Promise<LivePod> {
    const state = { terminated: { exitCode, message: await this.said() } };
    const status = { name: this.name, ready: false, restartCount: 0, image: '', state };
    return live({
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: pod, namespace: 'shop' }, spec: { containers: [] } },
      status: { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses: [status] },
    });
  }

  async end(): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL');
    this.holder.stdin?.end();
    if (this.holder.exitCode === null) await once(this.holder, 'exit');
  }

  async #spawn(line: readonly string[]): Promise<ChildProcess> {
    const into = ['--target', String(this.holder.pid), '--mount', '--net', '--root', '--wdns=/tmp'];
    const as = [`--setuid=${user}`, `--setgid=${user}`];
    const env = [...(await environment()), ...this.env];
    return spawn('nsenter', [...into, ...as, '--', 'env', '-i', ...env, ...line], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}
