import type { ResourceEvent } from '../../runtime/index.js';
import type { Memory, Situation } from './plan/index.js';

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
