import { readFile } from 'node:fs/promises';
import {
  type TrainingJobResource,
  type TrainingJobSpecInput,
  type TrainingJobStatus,
  trainingJobKind,
} from '../../../imports/index.js';
import { until } from '../../chaos/wait.js';
import { projectImage } from '../../images/project-images.js';
import { listed, read } from '../cluster/api.js';
import { FollowedLogs } from '../cluster/followed-logs.js';
import { slower } from '../cluster/kill-mode.js';
import { type LivePod, Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { type Recovery, recoveryIn, type Step, stepsIn } from './steps.js';

type Env = Readonly<Record<string, string | number>>;

/** A rank of the current generation. */
export interface RankPlace {
  readonly rank: number;
  readonly pod: string;
  readonly uid: string;
  readonly node: string;
  /** Of the process that trains. Undefined while there is none. */
  readonly pid: number | undefined;
}

/** Small enough for four workers on two cores. @param env of the program */
export function small(env: Env, program = 'program.py'): Pick<TrainingJobSpecInput, 'image' | 'command'> & Small {
  return {
    image: projectImage('training'),
    command: ['python3', `/program/${program}`],
    resources: { requests: { cpu: '50m', memory: '200Mi' }, limits: { cpu: '1', memory: '800Mi' } },
    health: { startWithin: '5m', stalledAfter: '10s' },
    podTemplate: {
      env: Object.entries(env).map(([name, value]) => ({ name, value: String(value) })),
      volumes: [{ name: 'program', configMap: { name: 'program' } }],
      volumeMounts: [{ name: 'program', mountPath: '/program' }],
    },
  };
}

/** A job that only holds room. */
export function holding(changes: Partial<TrainingJobSpecInput> = {}): TrainingJobSpecInput {
  const { podTemplate: _, ...spec } = small({});
  const command = ['sh', '-c', 'trap "exit 0" TERM; sleep 3600 & wait'];
  return { ...spec, command, recovery: 'Restart', ...changes };
}

/**
 * A job that goes on with fewer workers, and trains until it is deleted.
 * @param device of which each worker needs one, so that a test decides how many there is room for
 */
export function elastic(device: string, changes: Partial<TrainingJobSpecInput> = {}): TrainingJobSpecInput {
  const given = small({ STEPS: 1_000_000, STEP_PAUSE: 0.2 });
  const resources = { ...given.resources, limits: { ...given.resources.limits, [device]: 1 } };
  return {
    ...{ ...given, resources },
    checkpoint: { size: '64Mi', every: 20, deletionPolicy: 'Delete' },
    restarts: { perWindow: 100, avoidNodeAfter: 20 },
    ...changes,
  };
}

type Small = Required<Pick<TrainingJobSpecInput, 'resources' | 'health' | 'podTemplate'>>;

/** Creates the ConfigMap with the programs. */
export async function givePrograms(namespace: string): Promise<void> {
  const names = ['program.py', 'plain.py'];
  const texts = await Promise.all(names.map((name) => readFile(`test/e2e/training/${name}`, 'utf8')));
  const data = Object.fromEntries(names.map((name, index) => [name, texts[index]]));
  await applied({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'program' }, data });
}

/** Prints the processes that run the program, and sends them a signal if there is one. The launcher is process 1. */
const processes = `
import os, signal, sys
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        with open(f"/proc/{pid}/cmdline") as file:
            line = file.read().split("\\0")
    except (FileNotFoundError, ProcessLookupError):
        continue
    if int(pid) > 1 and line[1:] and line[1].startswith("/program/"):
        print(pid)
        for name in sys.argv[1:]:
            os.kill(int(pid), getattr(signal, "SIG" + name))
`;

import { conditionOf } from '../../../operator/runtime/index.js';

/** A TrainingJob as a user has it: applied, edited and watched. The logs of its workers are followed. */
export class TriedTraining implements AsyncDisposable {
  readonly #logs: FollowedLogs;
  #latest = '';

  constructor(
    readonly namespace: string,
    readonly name: string,
    public spec: TrainingJobSpecInput,
  ) {
    this.#logs = new FollowedLogs(() => this.pods());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#logs[Symbol.asyncDispose]();
  }

  /** Applies its spec with changes, which stay. */
  async apply(changes: Partial<TrainingJobSpecInput> = {}): Promise<void> {
    this.spec = { ...this.spec, ...changes };
    const { namespace, name, spec } = this;
    const apiVersion = 'reconstruct.dev/v1alpha1';
    await applied({ apiVersion, kind: 'TrainingJob', metadata: { namespace, name }, spec });
  }

  async delete(): Promise<void> {
    await kubectl(['--namespace', this.namespace, 'delete', 'tj', this.name, '--timeout=90s']);
  }

  /** The status, empty before the first one. */
  async status(): Promise<TrainingJobStatus> {
    const { namespace, name } = this;
    const found = (await read(trainingJobKind, { namespace, name })) as TrainingJobResource | undefined;
    const { conditions = [], phase, rendezvous, step, restarts, ranks, faults = [] } = found?.status ?? {};
    const reasons = conditions.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
    const states = ranks?.map(({ pod, state = 'unknown' }) => `${pod} ${state}`);
    this.#latest = [
      `phase ${phase}, generation ${rendezvous}, step ${step}, restarts ${JSON.stringify(restarts)}`,
      `ranks ${states?.join(', ')}`,
      ...reasons,
      ...faults.map(({ kind, grade, pod, message }) => `fault ${kind} (${grade}) of ${pod}: ${message}`),
    ].join('\n  ');
    return found?.status ?? ({} as TrainingJobStatus);
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
  async until(what: string, isSo: (status: TrainingJobStatus) => boolean | Promise<boolean>, within = 120) {
    const instead = () => this.#latest;
    const about = `TrainingJob ${this.name}: ${what}`;
    let status = await this.status();
    const look = async () => {
      status = await this.status();
      return isSo(status);
    };
    await until(look, { what: about, within: within * 1_000 * slower, every: 200, instead });
    return status;
  }

  /** The Pods of the workers, in the order of their names. */
  async pods(): Promise<readonly LivePod[]> {
    const labelSelector = `reconstruct.dev/training-job=${this.name},reconstruct.dev/training-role=worker`;
    const found = await listed(Pod, { namespace: this.namespace, labelSelector });
    return found.toSorted((one, other) => one.metadata.name.localeCompare(other.metadata.name));
  }

  async coordinator(): Promise<LivePod | undefined> {
    const labelSelector = `reconstruct.dev/training-job=${this.name},reconstruct.dev/training-role=coordinator`;
    const found = await listed(Pod, { namespace: this.namespace, labelSelector });
    return found.find(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  /** The ranks, with the processes that train. */
  async ranks(): Promise<readonly RankPlace[]> {
    const { ranks = [] } = await this.status();
    return Promise.all(
      ranks.map(async ({ pod, uid = '', node = '', index }) => {
        const pids = await this.signal(pod).catch(() => []);
        return { rank: index, pod, uid, node, pid: pids[0] };
      }),
    );
  }

  /** Those that are as they were, with their Pods and processes. */
  async unchanged(before: readonly RankPlace[]): Promise<readonly RankPlace[]> {
    const after = await this.ranks();
    return before.filter(({ uid, pid }) => after.some((one) => one.uid === uid && one.pid === pid));
  }

  /** Sends a signal to the processes of a Pod that train. @returns their identifiers in the container */
  async signal(pod: string, ...signals: readonly ('KILL' | 'STOP')[]): Promise<readonly number[]> {
    const printed = await this.#exec(pod, 'python3', '-c', processes, ...signals);
    return printed.split('\n').filter(Boolean).map(Number);
  }

  /** Gives the program in a Pod a fault, or lets it hurry. */
  async tell(pod: string, what: 'nan' | 'sleep' | 'hurry' | 'exit'): Promise<void> {
    await this.#exec(pod, 'touch', `/tmp/${what}`);
  }

  #exec(pod: string, ...command: readonly string[]): Promise<string> {
    return kubectl(['--namespace', this.namespace, 'exec', pod, '-c', 'trainer', '--', ...command]);
  }

  /** The steps that all workers have logged so far. */
  steps(): readonly Step[] {
    return stepsIn(this.#logs.text);
  }

  /** Resolves when all ranks train in the generation that the status has, and do steps. @param before an earlier generation */
  async untilTraining({ before = 0, within = 120 } = {}): Promise<TrainingJobStatus> {
    const trains = ({ phase, rendezvous = 0, ranks = [] }: TrainingJobStatus) =>
      phase === 'Running' && rendezvous > before && ranks.every(({ state }) => state === 'training');
    const status = await this.until(`all ranks train in a generation above ${before}`, trains, within);
    const reached = Date.now();
    await this.until('another step is done', () => (this.steps().at(-1)?.time ?? 0) > reached, 30);
    return status;
  }

  /** Lets something happen, and resolves when all ranks train again in a later generation. */
  async recovery(act: () => Promise<unknown>): Promise<Recovery & { readonly status: TrainingJobStatus }> {
    const { rendezvous: before = 0 } = await this.status();
    const since = Date.now();
    await act();
    const status = await this.untilTraining({ before });
    return { ...recoveryIn(this.steps(), since), status };
  }
}
