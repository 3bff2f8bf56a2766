import type { Memory } from '../../../operator/controllers/training/job/memory.js';
import type { Worker } from '../../../operator/controllers/training/workers/worker.js';
import type { Job } from './job.js';
import { TrainingJudge } from './training-judge.js';
import type { SimulatedPod, TrainingMachines } from './training-machines.js';

/** Seconds within which the operator restarts the others of a lost Pod. */
const longestWait = 30;

/** Judges the operator of a job with `recovery: Restart`. */
export class RestartJudge extends TrainingJudge {
  #struckTimes = 0;
  /** Since when some Pods of a start run, and others are not there. */
  #partSince: number | undefined;

  constructor(
    now: () => number,
    readonly machines: TrainingMachines,
  ) {
    super(now, () => 0);
  }

  override struck(): void {
    this.#struckTimes++;
  }

  override opens(pod: SimulatedPod, job: Job, seen: readonly Worker[]): void {
    const own = seen.filter(({ isEnding, incarnation }) => !isEnding && incarnation === pod.incarnation);
    if (own.length < job.wish.workers) this.finds('releases all workers together', pod.name);
  }

  override creates(pod: SimulatedPod): void {
    const isOld = (one: SimulatedPod) =>
      one.isEnding || one.incarnation !== pod.incarnation || one.revision !== pod.revision;
    const beside = this.machines.of(pod.job).find((one) => one.phase === 'Running' && !one.isNodeLost && isOld(one));
    if (beside) this.finds('creates no Pod beside one of an earlier start', `${pod.name} beside ${beside.name}`);
    const begun = this.machines.of(pod.job).find((one) => !one.isEnding && !one.isGated && !isOld(one));
    if (begun) this.finds('starts all workers together', `${pod.name} after ${begun.name}`);
  }

  override removes(pod: SimulatedPod, { wish, memory }: Job): void {
    const isStopping = wish.suspend || pod.revision !== wish.revision;
    if (isStopping || memory.end || pod.incarnation < memory.incarnation) return;
    this.finds('deletes Pods of an earlier start only', pod.name);
  }

  override remembers({ name }: Job, memory: Memory): void {
    if (memory.partial > this.#struckTimes)
      this.finds('counts each fault once', `${name} was restarted ${memory.partial} of ${this.#struckTimes} times`);
  }

  override ended(_: Job, { reason }: NonNullable<Memory['end']>): void {
    if (reason !== 'Succeeded') this.finds('fails only beyond its limits', reason);
  }

  /** A part of a start lasts only until the operator has noticed it. */
  override watches({ name, wish, memory }: Job, machines: TrainingMachines, mayAct: boolean): void {
    const own = machines
      .of(name)
      .filter(({ isEnding, incarnation }) => !isEnding && incarnation === memory.incarnation);
    const isPart = own.length < wish.workers && own.some(({ phase }) => phase === 'Running');
    const isToEnd = isPart && mayAct && !wish.suspend && !memory.end;
    this.#partSince = isToEnd ? (this.#partSince ?? this.now()) : undefined;
    if (this.now() - (this.#partSince ?? this.now()) > longestWait)
      this.finds('restarts the others of a lost Pod', `${own.length} of ${wish.workers} Pods of ${name} are there`);
  }
}
