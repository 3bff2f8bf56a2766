import type { TrainingJobResource } from '../../../../imports/index.js';
import { conditionOf, pollFailureOf } from '../../../runtime/index.js';
import type { conditions, MarkOf } from '../conditions.js';
import { isReduced } from '../gang/elastic.js';
import { currentIn, isStopping, lacksObject } from '../job/job.js';
import type { Memory } from '../job/memory.js';
import { generationIn, membersIn } from '../job/ranks.js';
import type { Next, Situation } from '../situation.js';
import type { TrainingView } from '../view.js';
import { endOfOldPods, pauseOf } from './wait-messages.js';

/** Whether the job trains, and why it does not. */
export function trainingOf(
  { resource, polled }: TrainingView,
  situation: Situation,
  { memory, phase }: Next,
): MarkOf<'Training'> {
  if (memory.end) return endedMark(resource, memory);
  if (phase === 'Suspended') return { reason: 'Suspended' };
  if (isStopping(situation)) return { reason: 'Stopping' };
  const stuck = phase === 'Running' ? undefined : stuckMark(situation);
  if (stuck) return stuck;
  const why = pollFailureOf(polled.coordinator);
  if (why !== undefined && generationIn(situation) > 0)
    return { reason: 'CoordinatorUnreachable', message: `The coordinator does not answer: ${why}` };
  const pause = pauseOf({ ...situation, memory });
  if (pause !== undefined) return { reason: 'BackingOff', message: pause };
  if (phase === 'Running' && isReduced(situation))
    return {
      reason: 'FewerWorkers',
      message: `${membersIn(situation).length} of ${situation.spec.workers} workers train`,
    };
  if (phase === 'Running') return { reason: 'Training' };
  const held = currentIn(situation).find(({ trouble }) => trouble !== undefined);
  const reason = phase === 'Recovering' ? ('Recovering' as const) : ('Starting' as const);
  const old = endOfOldPods({ ...situation, memory });
  if (old !== undefined) return { reason, message: old };
  return held ? { reason, message: `Worker ${held.name} does not run: ${held.trouble}` } : { reason };
}

/** What nobody can wait for. Workers without a node are a matter of `Scheduled`. */
function stuckMark(situation: Situation): MarkOf<'Training'> | undefined {
  const workers = currentIn(situation);
  const stuck = workers.find(({ lacks }) => lacks === 'Image' || lacks === 'Container');
  const reason = stuck?.lacks === 'Image' ? ('ImageUnavailable' as const) : ('ContainerNotCreated' as const);
  if (stuck) return { reason, message: `Worker ${stuck.name} cannot start: ${stuck.trouble}` };
  // The kubelet reports a volume that it cannot mount in events only.
  const unmounted = workers.find(
    (one) => one.phase === 'Pending' && one.node !== undefined && lacksObject(one, situation),
  );
  const obstacle = situation.missingObject?.obstacle;
  return unmounted && { reason: 'ContainerNotCreated', message: `Worker ${unmounted.name} cannot start: ${obstacle}` };
}

/** The reason of a failure is in the condition since the job ended. */
function endedMark({ status }: TrainingJobResource, { end }: Memory): MarkOf<'Training'> {
  const before = conditionOf<typeof conditions>({ status }, 'Training');
  if (status?.completionTime !== undefined && before)
    return { reason: before.reason as MarkOf<'Training'>['reason'], message: before.message };
  const reason = end?.reason ?? 'RestartsExhausted';
  return end?.message === undefined ? { reason } : { reason, message: end.message };
}
