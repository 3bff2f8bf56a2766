import { timestampOf } from '../../../runtime/index.js';
import { isBackingOff, isStopping } from '../job/job.js';
import { oldPodsIn } from '../job/starts.js';
import type { Situation } from '../situation.js';

/** What new Pods wait for before they are created, as a sentence. Undefined if they do not. */
export function endOfOldPods(situation: Situation): string | undefined {
  const { length } = isStopping(situation) ? [] : oldPodsIn(situation);
  return length === 0 ? undefined : `Waiting for ${length} old ${length === 1 ? 'Pod' : 'Pods'} to end`;
}

/** How long the next restart waits, as a sentence. Undefined if it does not. */
export function pauseOf({ memory, spec, now }: Pick<Situation, 'memory' | 'spec' | 'now'>): string | undefined {
  const { backoffUntil, spikes } = memory;
  if (backoffUntil === undefined || !isBackingOff({ memory, now })) return undefined;
  return `The job restarts at ${timestampOf(backoffUntil)}, after ${spikes} faults of the loss in ${spec.restarts.window}`;
}
