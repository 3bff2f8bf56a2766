import { secondsOf } from '../../../../crds/index.js';
import { reductionTimes } from './elastic.js';
import { blindAfter, releaseTimes } from './gang.js';
import { currentIn, isInPlace, type Memory, type Situation } from './situation.js';

/** Milliseconds for a checkpoint before the Pods go. */
export const stopWithin = 300_000;

/** Milliseconds for the coordinator to tell of the last steps after the Pods have ended. */
const lastWordsWithin = 30_000;

/** When the operator no longer waits for what the ranks said last, in milliseconds since 1970. */
export function lastWordsDue(situation: Situation): number {
  const ends = currentIn(situation).flatMap(({ ended }) => (ended === undefined ? [] : [Date.parse(ended)]));
  return Math.max(0, ...ends) + lastWordsWithin;
}

/** The next time at which a limit of the job is reached, in milliseconds since 1970. Undefined without one. */
export function nextDeadline(situation: Situation, memory: Memory): number | undefined {
  const { spec, roomUnknownSince, now } = situation;
  const after = (since: number | undefined, duration: string | undefined) =>
    since === undefined || duration === undefined ? [] : [since + 1_000 * secondsOf(duration)];
  const times = [
    ...after(memory.openedTime, spec.gang.timeout),
    ...after(memory.generationTime, spec.health.startWithin),
    ...after(memory.startTime, spec.activeDeadline),
    ...(memory.stoppingTime === undefined ? [] : [memory.stoppingTime + stopWithin]),
    ...(isInPlace(situation) ? [lastWordsDue(situation)] : []),
    ...reductionTimes(situation, memory),
    ...releaseTimes({ ...situation, memory }),
    ...(roomUnknownSince === undefined ? [] : [roomUnknownSince + blindAfter]),
  ];
  const coming = times.filter((time) => time > now);
  return coming.length === 0 ? undefined : Math.min(...coming);
}
