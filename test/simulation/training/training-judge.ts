import type { Memory } from '../../../operator/controllers/training/job/memory.js';
import type {
  CoordinatorAct,
  CoordinatorAnswer,
  Member,
} from '../../../operator/controllers/training/ports/coordinator.js';
import type { Worker } from '../../../operator/controllers/training/workers/worker.js';
import { type Job, replaceWithin } from './job.js';
import { namespace, rackOf, type SimulatedPod, type TrainingMachines } from './training-machines.js';

/** Seconds within which a job with fewer workers has another one, if there is room and nothing else happens. */
const growth = 45;

/** Steps within which the operator may act on what was so before a fault. */
const grace = 10;

type Begin = Extract<CoordinatorAct, { readonly act: 'begin' }>;

/** Judges each act of the operator by what is so in fact. */
export class TrainingJudge {
  /** The promise that was broken, and how. */
  broken: string | undefined;
  /** The number of faults of each job. */
  readonly #faults = new Map<string, number>();
  /** When a Pod had its first fault, by its UID. */
  readonly #struck = new Map<string, number>();
  /** When a Pod was released to the scheduler, by its UID. */
  readonly #released = new Map<string, number>();
  /** Since when a job could have had another worker, and its faults until then. */
  readonly #small = new Map<string, { readonly since: number; readonly faults: number }>();
  /** The members of each generation, by the name of the job and the number. */
  readonly #members = new Map<string, string>();

  constructor(
    readonly now: () => number,
    /** Of a job with a namespace and a name. */
    readonly priorityOf: (job: string) => number,
  ) {}

  /** A fault struck a Pod, or all ranks of a job. */
  struck(job: string, uid?: string): void {
    this.#faults.set(job, (this.#faults.get(job) ?? 0) + 1);
    if (uid !== undefined && !this.#struck.has(uid)) this.#struck.set(uid, this.now());
  }

  /** The operator creates a Pod. */
  creates(_pod: SimulatedPod): void {}

  /** The operator releases a Pod to the scheduler. @param seen the Pods of its job when it was planned */
  opens(pod: SimulatedPod, { wish }: Job, seen: readonly Worker[]): void {
    const others = seen.filter(({ isEnding, incarnation }) => !isEnding && incarnation === pod.incarnation);
    const places = wish.workers + wish.spares;
    if (others.length < places)
      this.finds('releases all workers together', `${pod.name} is released with ${others.length} of ${places} Pods`);
    this.#released.set(pod.uid, this.now());
  }

  /** The operator deletes a Pod. */
  removes(pod: SimulatedPod, job: Job): void {
    const { memory, model, wish } = job;
    const process = model.processes.get(pod.uid);
    // A generation that has just begun has nothing to lose, and the operator may not have heard of it.
    const trains = process?.state === 'training' && process.life === 'runs' && process.trained > grace;
    const isStopping = wish.suspend || pod.revision !== wish.revision;
    const hadTime = memory.stoppingTime !== undefined && this.now() - memory.stoppingTime / 1_000 >= 300;
    if (isStopping && memory.incarnation === pod.incarnation && trains && !hadTime && !memory.end)
      this.finds('lets ranks write a checkpoint before they stop', `${pod.name} is deleted while it trains`);
    const isUnwanted = isStopping || memory.end !== undefined || pod.incarnation < memory.incarnation;
    const isRestartedBy = memory.faults.some(({ uid, grade }) => uid === pod.uid && grade === 'Pod');
    if (isUnwanted) return;
    if (memory.displacedBy !== undefined && !isRestartedBy) {
      this.#displaces(pod, job);
      return;
    }
    if (pod.phase === 'Pending' && pod.node === undefined && !pod.isGated) {
      const since = Math.max(Date.parse(pod.created) / 1_000, this.#released.get(pod.uid) ?? 0);
      // A reconcile takes some seconds.
      if (wish.minWorkers === wish.workers || this.now() - since < replaceWithin - 5)
        this.finds(
          'gives back only what found no node in time',
          `${pod.name} is deleted after ${this.now() - since} s`,
        );
      return;
    }
    if (!this.#struck.has(pod.uid)) this.finds('replaces only what broke', `${pod.name} is deleted, and had no fault`);
    if (!isRestartedBy) this.finds('counts a fault before it repairs it', `${pod.name} is deleted`);
  }

  /** A coordinator carries out a request. @param answer what the operator knew */
  asks(job: Job, request: CoordinatorAct, answer: CoordinatorAnswer): void {
    if (request.act !== 'begin') return;
    const { name, model } = job;
    this.#sizes(job, request, answer);
    const { backoffUntil = 0 } = job.memory;
    if (this.now() * 1_000 < backoffUntil)
      this.finds('waits after repeated faults of the loss', `generation ${request.generation} of ${name} begins early`);
    const isRepeated = this.#members.get(`${name} ${request.generation}`) === JSON.stringify(request.members);
    this.#members.set(`${name} ${request.generation}`, JSON.stringify(request.members));
    const highest = Math.max(0, ...[...model.processes.values()].map(({ generation }) => generation));
    if (request.generation <= highest && !isRepeated)
      this.finds('lets generations rise', `generation ${request.generation} of ${name} begins after ${highest}`);
    const isPoisoned = answer.ranks.some(
      ({ uid, firstNonFinite, behind, state }) =>
        firstNonFinite !== undefined &&
        !behind &&
        state === 'training' &&
        request.members.some((one) => one.uid === uid),
    );
    if (isPoisoned && request.restoreBefore === undefined)
      this.finds('trains on with no state that is not finite', `generation ${request.generation} of ${name} keeps it`);
    const gone = request.members.find(({ uid }) => !model.processes.has(uid) && !this.#struck.has(uid));
    if (gone) this.finds('begins generations with Pods that run', `${gone.worker} does not run`);
  }

  #sizes({ name, wish, model, memory }: Job, request: Begin, answer: CoordinatorAnswer): void {
    const { members, planned } = request;
    const which = `generation ${request.generation} of ${name} has ${members.length} of ${wish.workers} workers`;
    if (members.length < wish.minWorkers)
      this.finds('trains with minWorkers at least', `${which}, and minWorkers is ${wish.minWorkers}`);
    const before = model.members.length > 0 ? model.members : memory.members;
    const missing = before.filter(({ uid }) => !members.some((one) => one.uid === uid));
    const isEarly = ({ uid }: Member) => this.now() - (this.#struck.get(uid) ?? this.now()) < replaceWithin;
    if (
      memory.displacedBy === undefined &&
      members.length < Math.min(before.length, wish.workers) &&
      missing.some(isEarly)
    )
      this.finds('waits for a replacement in time', `${which}, and a lost one has had no time for a replacement`);
    const train = before.every(({ uid }) =>
      answer.ranks.some((one) => one.uid === uid && one.state === 'training' && !one.behind && one.age === 0),
    );
    if (memory.displacedBy !== undefined && wish.priority >= this.priorityOf(memory.displacedBy))
      this.finds('makes room for a higher priority alone', `${which} for ${memory.displacedBy}`);
    const isJoined = train && missing.length === 0 && members.length > before.length && before.length > 0;
    if (isJoined && !planned && request.restoreBefore === undefined)
      this.finds('adds workers between two steps', `${which}, and the others are interrupted`);
  }

  /** A Pod is deleted for a job of a higher priority. */
  #displaces(pod: SimulatedPod, { name, wish, model, memory }: Job): void {
    if (memory.displacedBy === `${namespace}/${name}` || wish.priority >= this.priorityOf(memory.displacedBy ?? ''))
      this.finds('makes room for a higher priority alone', `${pod.name} is deleted for ${memory.displacedBy}`);
    // Before the others have heard of it, they would wait for it.
    if (model.members.some(({ uid }) => uid === pod.uid))
      this.finds('gives up a worker after others go on without it', `${pod.name} is deleted while it has a rank`);
  }

  /** A second has passed in which the operator could act, or not. */
  watches({ name, wish, model }: Job, machines: TrainingMachines, mayAct: boolean): void {
    const { room } = machines;
    const racks = wish.isNear ? this.#racksOf(name, machines) : undefined;
    const usable = room.nodes.filter((node) => racks === undefined || racks.includes(rackOf(node.name)));
    const free = usable.reduce((sum, one) => sum + (one.free['cpu'] ?? 0), 0);
    const others = room.opening.filter(({ job }) => job !== name);
    const isSmall = model.training > 0 && model.training < wish.workers && !wish.suspend;
    const before = this.#small.get(name);
    const faults = this.#faults.get(name) ?? 0;
    const isFull = machines.counted >= machines.quota;
    if (!mayAct || !isSmall || isFull || free === 0 || others.length > 0) this.#small.delete(name);
    else if (before?.faults !== faults) this.#small.set(name, { since: this.now(), faults });
    else if (this.now() - before.since > growth)
      this.finds('grows again when there is room', `${name} has ${model.training} of ${wish.workers} workers`);
  }

  /** The racks of the Pods that a job with one rack keeps. */
  #racksOf(name: string, machines: TrainingMachines): readonly string[] {
    const placed = machines.of(name).filter(({ node, isEnding }) => node !== undefined && !isEnding);
    const newest = Math.max(...placed.map(({ incarnation }) => incarnation));
    const current = placed.filter(({ incarnation }) => incarnation === newest);
    const racks = [...new Set(current.map(({ node = '' }) => rackOf(node)))];
    if (racks.length > 1) this.finds('has all workers in one rack', `${name} has Pods in ${racks.join(' and ')}`);
    return racks;
  }

  /** The operator writes a status. */
  remembers({ name }: Job, { total, incarnation }: Memory, before: Memory): void {
    const count = this.#faults.get(name) ?? 0;
    if (total > count) this.finds('counts each fault once', `${name} has ${total} faults in its status, had ${count}`);
    if (incarnation < before.incarnation)
      this.finds('never forgets a restart', `${name} was restarted ${incarnation} times`);
  }

  /** The job has ended. */
  ended({ name, wish, model }: Job, { reason }: NonNullable<Memory['end']>): void {
    const count = this.#faults.get(name) ?? 0;
    const allowed = (wish.perWindow + 1) * 2;
    if (reason !== 'Succeeded' && count < allowed && reason === 'RestartsExhausted')
      this.finds('fails only beyond its limits', `${name} failed after ${count} of ${allowed} faults`);
    if (reason === 'LossNotFinite')
      this.finds('fails only beyond its limits', `${name} failed by a loss that a rollback mends`);
    if (reason === 'Succeeded' && !model.isFinite)
      this.finds('trains on with no state that is not finite', `${name} succeeded with it`);
  }

  protected finds(promise: string, how: string): void {
    this.broken ??= `${promise}: ${how}`;
  }
}
