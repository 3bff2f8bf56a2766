import type { Memory, Worker } from '../../../operator/controllers/training/plan/index.js';
import type { CoordinatorAct, CoordinatorAnswer } from '../../../operator/controllers/training/ports/coordinator.js';
import type { Job } from './job.js';
import type { SimulatedPod } from './training-machines.js';

/** Steps within which the operator may act on what was so before a fault. */
const grace = 10;

/** Judges each act of the operator by what is so in fact. */
export class TrainingJudge {
  /** The promise that was broken, and how. */
  broken: string | undefined;
  /** The number of faults of each job. */
  readonly #faults = new Map<string, number>();
  /** UIDs of Pods that had a fault. */
  readonly #struck = new Set<string>();
  /** The members of each generation, by the name of the job and the number. */
  readonly #members = new Map<string, string>();

  constructor(readonly now: () => number) {}

  /** A fault struck a Pod, or all ranks of a job. */
  struck(job: string, uid?: string): void {
    this.#faults.set(job, (this.#faults.get(job) ?? 0) + 1);
    if (uid !== undefined) this.#struck.add(uid);
  }

  /** The operator releases a Pod to the scheduler. @param seen the Pods of its job when it was planned */
  opens(pod: SimulatedPod, { wish }: Job, seen: readonly Worker[]): void {
    const others = seen.filter(({ isEnding, incarnation }) => !isEnding && incarnation === pod.incarnation);
    const places = wish.workers + wish.spares;
    if (others.length < places)
      this.#find('releases all workers together', `${pod.name} is released with ${others.length} of ${places} Pods`);
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
      this.#find('lets ranks write a checkpoint before they stop', `${pod.name} is deleted while it trains`);
    const isUnwanted = isStopping || memory.end !== undefined || pod.incarnation < memory.incarnation;
    const isRestartedBy = memory.faults.some(({ uid, grade }) => uid === pod.uid && grade === 'Pod');
    if (isUnwanted) return;
    if (!this.#struck.has(pod.uid)) this.#find('replaces only what broke', `${pod.name} is deleted, and had no fault`);
    if (!isRestartedBy) this.#find('counts a fault before it repairs it', `${pod.name} is deleted`);
  }

  /** A coordinator carries out a request. @param answer what the operator knew */
  asks({ name, model }: Job, request: CoordinatorAct, answer: CoordinatorAnswer): void {
    if (request.act !== 'begin') return;
    const isRepeated = this.#members.get(`${name} ${request.generation}`) === JSON.stringify(request.members);
    this.#members.set(`${name} ${request.generation}`, JSON.stringify(request.members));
    const highest = Math.max(0, ...[...model.processes.values()].map(({ generation }) => generation));
    if (request.generation <= highest && !isRepeated)
      this.#find('lets generations rise', `generation ${request.generation} of ${name} begins after ${highest}`);
    const isPoisoned = answer.ranks.some(
      ({ uid, firstNonFinite, behind, state }) =>
        firstNonFinite !== undefined &&
        !behind &&
        state === 'training' &&
        request.members.some((one) => one.uid === uid),
    );
    if (isPoisoned && request.restoreBefore === undefined)
      this.#find('trains on with no state that is not finite', `generation ${request.generation} of ${name} keeps it`);
    const gone = request.members.find(({ uid }) => !model.processes.has(uid) && !this.#struck.has(uid));
    if (gone) this.#find('begins generations with Pods that run', `${gone.worker} does not run`);
  }

  /** The operator writes a status. */
  remembers({ name }: Job, { total, incarnation }: Memory, before: Memory): void {
    const count = this.#faults.get(name) ?? 0;
    if (total > count) this.#find('counts each fault once', `${name} has ${total} faults in its status, had ${count}`);
    if (incarnation < before.incarnation)
      this.#find('never forgets a restart', `${name} was restarted ${incarnation} times`);
  }

  /** The job has ended. */
  ended({ name, wish, model }: Job, { reason }: NonNullable<Memory['end']>): void {
    const count = this.#faults.get(name) ?? 0;
    const allowed = (wish.perWindow + 1) * 2;
    if (reason !== 'Succeeded' && count < allowed && reason === 'RestartsExhausted')
      this.#find('fails only beyond its limits', `${name} failed after ${count} of ${allowed} faults`);
    if (reason === 'LossNotFinite')
      this.#find('fails only beyond its limits', `${name} failed by a loss that a rollback mends`);
    if (reason === 'Succeeded' && !model.isFinite)
      this.#find('trains on with no state that is not finite', `${name} succeeded with it`);
  }

  #find(promise: string, how: string): void {
    this.broken ??= `${promise}: ${how}`;
  }
}
