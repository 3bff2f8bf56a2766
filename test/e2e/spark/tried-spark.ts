import { readFile } from 'node:fs/promises';
import {
  type SparkJobResource,
  type SparkJobSpecInput,
  type SparkJobStatus,
  sparkJobKind,
} from '../../../imports/index.js';
import { conditionOf } from '../../../operator/runtime/index.js';
import { until } from '../../chaos/wait.js';
import { listed, read } from '../cluster/api.js';
import { slower } from '../cluster/kill-mode.js';
import { type LivePod, Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';

/** The programs that tests run, in the folder of this file. */
const programs = ['fails.py', 'hangs.py', 'hog.py', 'writes.py', 'witness.py'];

/** Creates the ConfigMap with the programs. */
export async function givePrograms(namespace: string): Promise<void> {
  const texts = await Promise.all(programs.map((name) => readFile(`test/e2e/spark/${name}`, 'utf8')));
  const data = Object.fromEntries(programs.map((name, index) => [name, texts[index]]));
  await applied({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'programs' }, data });
}

const resources = { requests: { cpu: '50m' }, limits: { cpu: '1', memory: '768Mi' } };

/** Small enough for several jobs on two cores. */
export const small = {
  driver: { resources, memoryOverhead: '256Mi' },
  executors: { replicas: 1, cores: 1, resources, memoryOverhead: '256Mi' },
} as const;

/** A job of one of the programs. @param program its file and arguments */
export function running(...[program, ...args]: readonly [string, ...string[]]): SparkJobSpecInput {
  const podTemplate = {
    volumes: [{ name: 'programs', configMap: { name: 'programs' } }],
    volumeMounts: [{ name: 'programs', mountPath: '/app' }],
  };
  return {
    ...{ ...small, main: `local:///app/${program}`, args },
    driver: { ...small.driver, podTemplate },
    retry: { backoff: { initial: '2s', jitter: 0 } },
  };
}

/** The example of the image. */
export function pi(changes: Partial<SparkJobSpecInput> = {}): SparkJobSpecInput {
  return { ...small, main: 'local:///opt/spark/examples/pi.py', args: ['4'], ...changes };
}

/** A SparkJob as a user has it: applied, edited and watched. */
export class TriedSpark {
  #latest = '';

  constructor(
    readonly namespace: string,
    readonly name: string,
    public spec: SparkJobSpecInput,
  ) {}

  /** Applies its spec with changes, which stay. */
  async apply(changes: Partial<SparkJobSpecInput> = {}): Promise<void> {
    this.spec = { ...this.spec, ...changes };
    const { namespace, name, spec } = this;
    await applied({ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'SparkJob', metadata: { namespace, name }, spec });
  }

  async delete(): Promise<void> {
    await kubectl(['--namespace', this.namespace, 'delete', 'sj', this.name, '--timeout=90s']);
  }

  async resource(): Promise<SparkJobResource | undefined> {
    const { namespace, name } = this;
    return (await read(sparkJobKind, { namespace, name })) as SparkJobResource | undefined;
  }

  /** The status, empty before the first one. */
  async status(): Promise<SparkJobStatus> {
    const { status } = (await this.resource()) ?? {};
    const { conditions = [], ended = [] } = status ?? {};
    this.#latest = [
      `state ${status?.state}, run ${status?.run}, attempt ${status?.attempts}, executors ${status?.executors}`,
      ...conditions.map(({ type, reason, message }) => `${type} ${reason}: ${message}`),
      ...ended.map(({ pod, budget, reason, message }) => `${pod} ended: ${budget} ${reason}: ${message}`),
    ].join('\n  ');
    return status ?? ({} as SparkJobStatus);
  }

  /** The condition as `Reason: message`, empty if there is none. */
  async condition(type: string): Promise<string> {
    const found = conditionOf({ status: await this.status() }, type);
    return found ? `${found.reason}: ${found.message}` : '';
  }

  /**
   * Resolves with the status when it is so.
   * @param within seconds
   * @throws {Error} with the status when it is not within the time
   */
  async until(what: string, isSo: (status: SparkJobStatus) => boolean | Promise<boolean>, within = 120) {
    let status = await this.status();
    const look = async () => {
      status = await this.status();
      return isSo(status);
    };
    const about = `SparkJob ${this.name}: ${what}`;
    await until(look, { what: about, within: within * 1_000 * slower, every: 200, instead: () => this.#latest });
    return status;
  }

  /** Resolves with the status when the job has ended. */
  async ended(within = 180): Promise<SparkJobStatus> {
    return this.until('it has ended', ({ completionTime }) => completionTime !== undefined, within);
  }

  /** Resolves with the Pod of the driver when its SparkContext runs. */
  async runningDriver(attempt: number, run = 1): Promise<LivePod> {
    const isRunning = ({ executors = '', ...now }: SparkJobStatus) =>
      now.run === run && now.attempt === attempt && now.state === 'Running' && !executors.startsWith('0');
    const { driver } = await this.until(`attempt ${attempt} of run ${run} has an executor`, isRunning, 240);
    const pod = await read(Pod, { namespace: this.namespace, name: driver?.pod ?? '' });
    if (!pod) throw new Error(`the Pod ${driver?.pod} is gone`);
    return pod;
  }

  /** The Pods of a role, by name. */
  async pods(role: 'driver' | 'executor'): Promise<readonly LivePod[]> {
    const labelSelector = `reconstruct.dev/spark-job=${this.name},reconstruct.dev/spark-role=${role}`;
    const found = await listed(Pod, { namespace: this.namespace, labelSelector });
    return found.toSorted((one, other) => one.metadata.name.localeCompare(other.metadata.name));
  }

  /** What a driver has written. */
  async log(pod: string): Promise<string> {
    return kubectl(['--namespace', this.namespace, 'logs', pod]);
  }
}
