import { secondsOf } from '../../../../crds/index.js';
import type { Memory, Situation } from './situation.js';

/** Milliseconds for a checkpoint before the Pods go. */
export const stopWithin = 300_000;
/** Milliseconds without an answer about the room after which the scheduler alone decides. */
export const blindAfter = 60_000;

/** The next time at which a limit of the job is reached, in milliseconds since 1970. Undefined without one. */
export function nextDeadline({ spec, roomUnknownSince, now }: Situation, memory: Memory): number | undefined {
  const after = (since: number | undefined, duration: string | undefined) =>
    since === undefined || duration === undefined ? [] : [since + 1_000 * secondsOf(duration)];
  const times = [
    ...after(memory.openedTime, spec.gang.timeout),
    ...after(memory.generationTime, spec.health.startWithin),
    ...after(memory.startTime, spec.activeDeadline),
    ...(memory.stoppingTime === undefined ? [] : [memory.stoppingTime + stopWithin]),
    ...(roomUnknownSince === undefined ? [] : [roomUnknownSince + blindAfter]),
  ];
  const coming = times.filter((time) => time > now);
  return coming.length === 0 ? undefined : Math.min(...coming);
}
