import { secondsOf } from '../../../../crds/index.js';
import type { ObservedJob } from '../job/job.js';
import type { Memory } from '../job/memory.js';
import type { NewFault } from './new-fault.js';

/** True for a fault that a repair alone may not cure, because the data or the program can cause it again. */
export function isSpike({ kind }: Pick<NewFault, 'kind'>): boolean {
  return kind === 'NonFiniteLoss' || kind === 'LogSlow';
}

/** The pause before the restart after so many faults of the loss in a window, in milliseconds. */
export function pauseAfter(spikes: number, { restarts: { spike } }: ObservedJob['spec']): number {
  if (spikes < 2) return 0;
  return 1_000 * Math.min(secondsOf(spike.max), secondsOf(spike.backoff) * 2 ** (spikes - 2));
}

/** What the memory has of the pause after these faults. Those of one reconcile are repaired by one restart. */
export function backoffAfter(
  found: readonly NewFault[],
  { spikes = 0 }: Pick<Memory, 'spikes'>,
  { spec, now }: Pick<ObservedJob, 'spec' | 'now'>,
): Pick<Memory, 'spikes' | 'backoffUntil'> {
  if (!found.some(isSpike)) return {};
  const pause = pauseAfter(spikes + 1, spec);
  // The status has whole seconds.
  return { spikes: spikes + 1, ...(pause > 0 && { backoffUntil: 1_000 * Math.ceil((now + pause) / 1_000) }) };
}
