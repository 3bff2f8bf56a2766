import type { Worker } from '../workers/worker.js';
import type { ObservedJob } from './job.js';

/** Seconds after the end of a job in which Pods may end by themselves. */
export const endWithin = 60;

type EndedJob = Pick<ObservedJob, 'workers' | 'memory' | 'spec' | 'now'>;

/**
 * Pods whose programs are about to end, or have ended without a report of the kubelet yet: a rank tells the coordinator that
 * it is done before it ends, and a launcher that it gives its Pod up. A spare, and the others of a job that has failed, would
 * run on.
 */
function endingIn({ workers, memory, spec }: EndedJob): readonly Worker[] {
  const { end, members, faults } = memory;
  if (!end || spec.cleanPods === 'All') return [];
  const isDone = ({ uid }: Worker) => end.reason === 'Succeeded' && members.some((one) => one.uid === uid);
  const hasGivenUp = ({ uid }: Worker) => faults.some((fault) => fault.uid === uid && fault.kind === 'DeviceFailed');
  return workers.filter(
    (one) => one.phase === 'Running' && !one.isEnding && !one.isNodeLost && (isDone(one) || hasGivenUp(one)),
  );
}

/** Pods that get time for their end. */
export function awaitedIn(job: EndedJob): readonly Worker[] {
  return isOver(job) ? [] : endingIn(job);
}

/** Pods that did not end in time. */
export function overdueIn(job: EndedJob): readonly Worker[] {
  return isOver(job) ? endingIn(job) : [];
}

function isOver({ memory, now }: EndedJob): boolean {
  return memory.end !== undefined && now >= memory.end.time + 1_000 * endWithin;
}
