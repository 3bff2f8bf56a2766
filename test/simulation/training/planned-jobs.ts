import { sizeEvents } from '../../../operator/controllers/training/events.js';
import type { QuotaState } from '../../../operator/controllers/training/gang/quota.js';
import type { Memory } from '../../../operator/controllers/training/job/memory.js';
import { nextMemory } from '../../../operator/controllers/training/next-memory.js';
import { planOf } from '../../../operator/controllers/training/plan/index.js';
import type { CapacityAnswer } from '../../../operator/controllers/training/ports/capacity.js';
import type { CoordinatorAnswer } from '../../../operator/controllers/training/ports/coordinator.js';
import type { Situation } from '../../../operator/controllers/training/situation.js';
import { gangsOf, type ListedJob, type ListedWorker } from '../../../operator/engines/training/gangs.js';
import { trainingPodName } from '../../../src/index.js';
import { type Job, specOfWish } from './job.js';
import type { TrainingJudge } from './training-judge.js';
import { namespace, rackLabel, type SimulatedPod, type TrainingMachines } from './training-machines.js';

interface Answered<T> {
  readonly value: T;
  /** When it was asked for, in seconds. */
  readonly at: number;
}

interface World {
  readonly jobs: readonly Job[];
  readonly machines: TrainingMachines;
  readonly judge: TrainingJudge;
  /** Seconds since 1970. */
  readonly now: () => number;
  readonly say: (what: string) => void;
  /** Whether the operator reaches the coordinators and the API server answers the question of the room. */
  readonly isReachable: () => boolean;
  readonly uid: () => string;
}

/** Seconds between two questions. */
const interval = 2;
const demand = { requests: { cpu: 1 }, avoid: [] };

/**
 * One process of the operator, as far as the plan of one job needs it: it observes, plans, applies, prunes, calls and
 * writes the status, one act at a time, and what it knows of the coordinator and of the room is some steps old. It keeps
 * the rule of the runtime that a call is sent only on an answer that was asked for after the call before.
 */
export class PlannedJob {
  #report: Answered<CoordinatorAnswer> | undefined;
  #room: Answered<CapacityAnswer> | undefined;
  #due: { readonly at: number; readonly hear: () => void } | undefined;
  #polledAt = Number.NEGATIVE_INFINITY;
  #calledAt = Number.NEGATIVE_INFINITY;
  #acts: Generator<void> | undefined;
  /** Whether the quota has refused a Pod in this reconcile. */
  #isRefused = false;

  constructor(
    readonly world: World,
    readonly job: Job,
  ) {}

  /** Asks the coordinator and the API server when it is time, and hears what they answered. @param delay seconds */
  poll(delay: number): void {
    const { machines, now, isReachable } = this.world;
    if (this.#due && now() >= this.#due.at) {
      this.#due.hear();
      this.#due = undefined;
    }
    if (this.#due || (now() - this.#polledAt < interval && this.#calledAt < this.#polledAt)) return;
    this.#polledAt = now();
    const at = now();
    const report = attempt(() => (isReachable() ? this.job.model.answer() : undefined));
    const room = isReachable()
      ? { ...machines.room, ...gangsOf(this.#listedWorkers(), this.#listedJobs()) }
      : undefined;
    this.#due = {
      at: at + delay,
      hear: () => {
        this.#report = report && { value: report, at };
        this.#room = room && { value: room, at };
      },
    };
  }

  /** The next act of a reconcile. */
  act(): void {
    this.#acts ??= this.#reconcile();
    if (this.#acts.next().done) this.#acts = undefined;
  }

  #situation(): Situation {
    const { job } = this;
    return {
      ...{ namespace, name: job.name, revision: job.wish.revision, now: this.world.now() * 1_000, memory: job.memory },
      spec: specOfWish(job.wish),
      workers: this.world.machines.of(job.name).map((pod) => ({ ...pod })),
      report: job.wish.recovery === 'Restart' ? undefined : this.#report?.value,
      room: this.#room?.value,
      quota: this.#quota(),
    };
  }

  #quota(): QuotaState {
    const { quota, counted } = this.world.machines;
    const elders = this.world.jobs.filter(({ name }) => name < this.job.name);
    const isWaiting = ({ memory, wish, model }: Job) => !memory.end && !wish.suspend && model.training === 0;
    return {
      quotas: [{ name: 'team', hard: { pods: quota }, used: { pods: counted }, scopes: [] }],
      ...{ hasCoordinator: true, isRefused: this.#isRefused, hasElder: elders.some(isWaiting) },
    };
  }

  *#reconcile(): Generator<void> {
    const { world, job } = this;
    this.#isRefused = false;
    const situation = this.#situation();
    const report = this.#report;
    // What was wanted and known when it was planned.
    const seenJob = { ...job };
    const plan = planOf(situation, { ...demand, ...together(job.wish) });
    for (const one of plan.pods) {
      if (one.act === 'keep') continue;
      const name = trainingPodName(job.name, one);
      const live = world.machines.of(job.name).find((pod) => pod.name === name);
      if (one.act === 'create') this.#create(name, { ...one, revision: situation.revision, memory: situation.memory });
      else if (live?.isGated && !live.isEnding) {
        world.say(`releases Pod ${name}`);
        world.judge.opens(live, seenJob, situation.workers);
        live.isGated = false;
        if (one.domain !== undefined) live.domain = one.domain;
      }
      yield;
    }
    const wanted = new Set(plan.pods.map((one) => trainingPodName(job.name, one)));
    for (const seen of situation.workers) {
      if (wanted.has(seen.name) || seen.isEnding) continue;
      const live = world.machines.of(job.name).find(({ uid }) => uid === seen.uid);
      // The API server refuses to delete what has changed since it was observed.
      if (!live || live.isEnding || live.phase !== seen.phase) continue;
      world.say(`deletes Pod ${live.name}`);
      world.judge.removes(live, seenJob);
      world.machines.remove(live);
      yield;
    }
    if (plan.call && report && report.at > this.#calledAt) {
      this.#calledAt = world.now();
      world.say(`calls ${job.name} ${JSON.stringify(plan.call)}`);
      if (world.isReachable() && job.model.silentFor === 0) {
        world.judge.asks(job, plan.call, report.value);
        attempt(() => job.model.perform(plan.call as never));
      }
      yield;
    }
    this.#remember();
  }

  #create(name: string, { index, attempt: number, isGated, revision, memory, domain }: Created): void {
    const { machines, now, uid, say } = this.world;
    const pod: SimulatedPod = {
      ...{ job: this.job.name, name, uid: uid(), index, attempt: number, isGated, revision },
      ...{ created: new Date(now() * 1_000).toISOString(), phase: 'Pending', isEnding: false, isNodeLost: false },
      ...{ incarnation: memory.incarnation, priority: this.job.wish.priority, domain },
    };
    this.world.judge.creates(pod);
    const isCreated = machines.create(pod);
    say(isCreated ? `creates Pod ${name}` : `may not create Pod ${name}`);
    if (!isCreated) this.#isRefused = true;
  }

  #listedWorkers(): readonly ListedWorker[] {
    const live = this.world.machines.pods.filter(({ phase }) => phase === 'Running' || phase === 'Pending');
    return live.map(({ job, name, created, priority = 0, node, isGated, isEnding }) => ({
      ...{ namespace, job, owner: job, name, created, priority, node, isGated, isEnding },
      needs: { requests: demand.requests },
    }));
  }

  #listedJobs(): readonly ListedJob[] {
    return this.world.jobs.map(({ name, wish: { workers, minWorkers, spares, isNear }, memory }) => ({
      ...{ namespace, job: name, uid: name, workers, minWorkers, spares, ...together({ isNear }) },
      members: memory.members.map(({ worker }) => worker),
    }));
  }

  /** What follows is written down before anything follows from it. */
  #remember(): void {
    const { world, job } = this;
    const before = job.memory;
    const memory = nextMemory(this.#situation());
    for (const { id, message } of memory.faults)
      if (!before.faults.some((fault) => fault.id === id)) world.say(`counts ${id} of ${job.name}: ${message}`);
    for (const { note } of sizeEvents(this.#situation(), memory)) world.say(`${job.name}: ${note}`);
    if (memory.refusedTime !== before.refusedTime && memory.refusedTime !== undefined)
      world.say(`gives the Pods of ${job.name} back to the quota`);
    world.judge.remembers(job, memory, before);
    job.memory = memory;
    if (memory.end && !before.end) {
      world.say(`ends ${job.name}: ${memory.end.reason} ${memory.end.message ?? ''}`);
      world.judge.ended(job, memory.end);
    }
  }
}

/** What the spec asks of the nodes of all workers. */
function together({ isNear = false }: Pick<Job['wish'], 'isNear'>): { readonly topologyKey?: string } {
  return isNear ? { topologyKey: rackLabel } : {};
}

interface Created {
  readonly index: number;
  readonly attempt: number;
  readonly isGated: boolean;
  readonly revision: string;
  readonly memory: Memory;
  readonly domain?: string | undefined;
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
