import { awaitedIn } from '../job/ending.js';
import type { Situation } from '../situation.js';
import type { Worker } from '../workers/worker.js';
import { kept, type PodStep } from './step.js';

/** Once a job has ended, Pods that run on are deleted, and `cleanPods` keeps those that have ended. */
export function ended(situation: Situation): PodStep | undefined {
  const { workers, spec, memory } = situation;
  if (!memory.end) return undefined;
  const awaited = awaitedIn(situation);
  const isKept = ({ isEnding, isHeld, phase }: Worker) =>
    !isEnding &&
    !isHeld &&
    ((phase === 'Failed' && spec.cleanPods !== 'All') || (phase === 'Succeeded' && spec.cleanPods === 'None'));
  return { pods: kept(workers.filter((one) => isKept(one) || awaited.includes(one))) };
}
