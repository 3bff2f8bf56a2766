import type { Worker } from '../workers/worker.js';
import { currentIn, isInPlace, type ObservedJob } from './job.js';

/** The Pods of the current start, those that are being deleted included. */
export function ofThisStart({ workers, memory, revision }: ObservedJob): readonly Worker[] {
  return workers.filter((one) => one.revision === revision && one.incarnation === memory.incarnation);
}

/**
 * True once a gate of this start was open, or all of its Pods ran. Gates open only when all Pods exist, so one that is missing
 * from then on was lost. It follows from the Pods, so it is known before anything is written down.
 */
export function hasBegun(job: ObservedJob): boolean {
  return job.memory.generationTime !== undefined || ofThisStart(job).some(({ isGated }) => !isGated);
}

/**
 * Pods of an earlier start that have not ended yet. With `recovery: Restart`, new ranks would find them under the same host
 * names, and join them. A Pod of a lost machine is not waited for: it may never end.
 */
export function oldPodsIn(job: ObservedJob): readonly Worker[] {
  if (isInPlace(job)) return [];
  const current = currentIn(job);
  return job.workers.filter((one) => !current.includes(one) && !one.isNodeLost);
}

/** The Pods that the scheduler may place and has not placed yet. */
export function scheduling(job: ObservedJob): readonly Worker[] {
  return currentIn(job).filter(({ isGated, phase, node }) => !isGated && phase === 'Pending' && node === undefined);
}

/** The Pods that wait for the others. */
export function gatedIn(job: ObservedJob): readonly Worker[] {
  return currentIn(job).filter(({ isGated }) => isGated);
}
