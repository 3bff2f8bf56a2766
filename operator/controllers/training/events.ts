import type { TrainingJobResource } from '../../../imports/index.js';
import { conditionOf, type ResourceEvent } from '../../runtime/index.js';
import type { conditions, MarkOf } from './conditions.js';
import { missedReasons, stoppedBefore } from './findings/scheduled.js';
import type { Memory } from './job/memory.js';
import type { Situation } from './situation.js';

/** What happened to the number of workers that train. */
export function sizeEvents(situation: Situation, memory: Memory): readonly ResourceEvent[] {
  const { spec, memory: before } = situation;
  const [from, to] = [before.members.length, memory.members.length];
  if (memory.generation === before.generation || from === 0 || to === 0) return [];
  const workers = `${to} of ${spec.workers} workers in generation ${memory.generation}`;
  if (to < from && to < spec.workers) {
    if (memory.displacedBy !== undefined) {
      const note = `Continues with ${workers}: TrainingJob ${memory.displacedBy} with a higher priority waits for room`;
      return [{ type: 'Normal', reason: 'Displaced', note }];
    }
    const gone = before.members.filter(({ uid }) => !memory.members.some((one) => one.uid === uid));
    const pods = gone.map(({ worker }) => worker).join(', ');
    const note = `Continues with ${workers}: ${pods} had no replacement within ${spec.replaceWithin}`;
    return [{ type: 'Warning', reason: 'WorkersReduced', note }];
  }
  return to > from ? [{ type: 'Normal', reason: 'WorkersJoined', note: `Trains with ${workers}` }] : [];
}

/** The runtime reports a condition that becomes False, but not a new one, or one with another message. */
export function missingObjectEvents(
  resource: TrainingJobResource,
  { reason, message: note = '' }: MarkOf<'Scheduled'>,
) {
  const before = conditionOf<typeof conditions>(resource, 'Scheduled');
  const isMissing = Object.values(missedReasons).some((one) => one === reason);
  const isReported = before && (before.status !== 'False' || before.message === note);
  return isMissing && !isReported ? [{ type: 'Warning' as const, reason, note }] : [];
}

/** Pods that did not end after the end of their job are told once. */
export function stopEvents(resource: TrainingJobResource, { reason, message: note = '' }: MarkOf<'Scheduled'>) {
  const isNew = reason === 'PodsStopped' && stoppedBefore(resource) === undefined;
  return isNew ? [{ type: 'Warning' as const, reason, note }] : [];
}
