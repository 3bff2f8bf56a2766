import type { Situation } from '../situation.js';
import type { Worker } from '../workers/worker.js';
import { kept, type PodStep } from './step.js';

/** Once a job has ended, its running Pods are deleted, and `cleanPods` keeps those that have ended. */
export function ended({ workers, spec, memory }: Situation): PodStep | undefined {
  if (!memory.end) return undefined;
  const isKept = ({ isEnding, isHeld, phase }: Worker) =>
    !isEnding &&
    !isHeld &&
    ((phase === 'Failed' && spec.cleanPods !== 'All') || (phase === 'Succeeded' && spec.cleanPods === 'None'));
  return { pods: kept(workers.filter(isKept)) };
}
