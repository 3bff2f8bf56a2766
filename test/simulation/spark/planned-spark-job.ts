import { sparkJobSpec, withDefaults } from '../../../crds/index.js';
import type { SparkJobResource, SparkJobSpec, SparkJobSpecInput, SparkJobStatus } from '../../../imports/index.js';
import { assess } from '../../../operator/controllers/spark/assess.js';
import { driverRemedy } from '../../../operator/controllers/spark/attempts/faults.js';
import { planOf } from '../../../operator/controllers/spark/plan/index.js';
import { isToBeCounted } from '../../../operator/controllers/spark/pods/protection.js';
import { situationOf } from '../../../operator/controllers/spark/situation.js';
import type { SparkOutcome } from '../../../operator/controllers/spark/view.js';
import { type LivePod, type ObjectKind, Pod } from '../../../operator/runtime/index.js';
import { sparkDriverName } from '../../../src/index.js';
import { epoch, livePod } from './live-pods.js';
import type { SparkJudge } from './spark-judge.js';
import type { SparkMachines } from './spark-machines.js';

/** The SparkJob on the API server. */
export interface KeptJob {
  uid: string;
  generation: number;
  /** What a user edits. */
  wish: { readonly suspend: boolean; readonly args: readonly string[] };
  status: Partial<SparkJobStatus>;
  /** Whether a quota has no room for drivers. */
  isFull: boolean;
  /** Attempts whose driver is in the status, or was, by the UID of the job. */
  readonly known: Set<string>;
}

const retry = {
  budgets: { submission: 30, run: 6, preemption: 60 },
  rules: [
    { when: { exitCodes: [2] }, do: 'Fail' },
    { when: { reason: ['OOMKilled'] }, do: 'Retry', with: { memoryFactor: 1.5, max: '8Gi' } },
    { when: { reason: ['DriverDidNotExit'] }, do: 'Retry' },
  ],
  backoff: { initial: '3s', factor: 2, max: '12s' },
};

const specs = new WeakMap<KeptJob['wish'], SparkJobSpec>();

function specOf(wish: KeptJob['wish']): SparkJobSpec {
  const input = { main: 'local:///app/clean.py', ...wish, retry, startWithin: '25s', exitWithin: '15s' };
  const spec = specs.get(wish) ?? withDefaults(sparkJobSpec, input as unknown as SparkJobSpecInput);
  specs.set(wish, spec);
  return spec;
}

function resourceOf({ uid, generation, wish, status }: KeptJob): SparkJobResource {
  const metadata = { name: 'clean', namespace: 'data', uid, generation };
  return { metadata, spec: specOf(wish), status } as unknown as SparkJobResource;
}

const namedPod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } });

/** What is around a process of the operator. */
interface World {
  readonly machines: SparkMachines;
  readonly judge: SparkJudge;
  readonly job: KeptJob;
  readonly say: (what: string) => void;
}

/** One process of the operator. It sees Pods some seconds late, except its own writes, and can die between any two acts. */
export class PlannedSparkJob {
  #seen: readonly LivePod[];
  #acts: Generator<void> | undefined;

  constructor(readonly world: World) {
    this.#seen = world.machines.pods.map(livePod);
  }

  /** Hears of all Pods. */
  watch(): void {
    this.#seen = this.world.machines.pods.map(livePod);
  }

  /** The next act of a reconcile. */
  act(): void {
    this.#acts ??= this.#reconcile();
    if (this.#acts.next().done) this.#acts = undefined;
  }

  *#reconcile(): Generator<void> {
    const { job, judge, say } = this.world;
    const observed = { ...job };
    const situation = situationOf(this.#outcome(observed));
    const plan = planOf(situation);
    yield;
    const { run, attempt } = situation.memory;
    const blocker = plan.creates
      ? this.#create(`${run}-${attempt}`, sparkDriverName('clean', { run, attempt }), observed)
      : undefined;
    yield;
    const left = new Set(plan.left.map(({ uid }) => uid));
    for (const { name, uid, isOwn, isEnding } of situation.drivers) {
      if (!isOwn || isEnding || left.has(uid)) continue;
      this.#delete(uid, name);
      yield;
    }
    for (const { name, uid, isOwn } of situation.drivers) {
      if (!isOwn || isToBeCounted(namedPod(name), resourceOf(observed))) continue;
      this.#unprotect(uid);
      yield;
    }
    for (const { name, uid } of plan.leftovers) this.#delete(uid, name);
    yield;
    const { status, conditions } = assess(this.#outcome(observed, blocker));
    const told = Object.entries(conditions).flatMap(([type, mark]) => (mark ? [{ type, ...mark }] : []));
    if (job.uid !== observed.uid) return;
    const next = { ...status, conditions: told } as unknown as SparkJobStatus;
    judge.writes(job.uid, next, job.status);
    if (next.state !== job.status.state)
      say(`${next.state} ${next.attempts} ${told.map((one) => one.reason).join(', ')}`);
    if (next.driver) job.known.add(`${job.uid} ${next.run}-${next.attempt}`);
    job.status = next;
  }

  /** @returns why the API server does not accept it, if so */
  #create(attempt: string, name: string, observed: KeptJob): string | undefined {
    const { uid: owner } = observed;
    const { machines, judge, job, say } = this.world;
    if (job.isFull) return `pods "${name}" is forbidden: exceeded quota: team: ${driverRemedy}`;
    // The API server deletes what a job that is gone would own.
    if (owner !== job.uid) return undefined;
    const pod = machines.createDriver(name, attempt, {
      job: owner,
      isProtected: isToBeCounted(namedPod(name), resourceOf(observed)),
    });
    if (!pod) return undefined;
    say(`creates ${name}`);
    judge.creates(name, attempt, { job: owner, known: job.known });
    this.#seen = [...this.#seen, livePod(pod)];
    return undefined;
  }

  #delete(uid: string, name: string): void {
    const { machines, say } = this.world;
    const pod = machines.pods.find((one) => one.uid === uid);
    if (!pod || pod.isEnding) return;
    say(`deletes ${name}`);
    machines.delete(pod);
  }

  #unprotect(uid: string): void {
    const { machines } = this.world;
    const pod = machines.pods.find((one) => one.uid === uid);
    if (pod?.isProtected) machines.unprotect(pod);
  }

  #outcome(job: KeptJob, blocker?: string): SparkOutcome {
    const { machines } = this.world;
    const own = this.#seen.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === job.uid));
    const nodes = machines.names.map((name) => ({
      name,
      labels: {},
      isReady: machines.isReady(name),
      isCordoned: false,
    }));
    return {
      resource: resourceOf(job),
      owned: { of: (kind: ObjectKind) => (kind === Pod ? own : []) },
      reads: { pods: this.#seen, nodes },
      polled: { drawn: undefined, leftovers: undefined },
      ...{ now: new Date(1_000 * (epoch + machines.seconds)), accepted: true, blocker },
    } as unknown as SparkOutcome;
  }
}
