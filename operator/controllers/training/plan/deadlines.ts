import { secondsOf } from '../../../../crds/index.js';
import { reductionTimes } from './elastic.js';
import { blindAfter, releaseTimes } from './gang.js';
import type { Memory, Situation } from './situation.js';

/** Milliseconds for a checkpoint before the Pods go. */
export const stopWithin = 300_000;

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
    ...reductionTimes(situation, memory),
    ...releaseTimes({ ...situation, memory }),
    ...(roomUnknownSince === undefined ? [] : [roomUnknownSince + blindAfter]),
  ];
  const coming = times.filter((time) => time > now);
  return coming.length === 0 ? undefined : Math.min(...coming);
}
