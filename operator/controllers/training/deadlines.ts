import { secondsOf } from '../../../crds/index.js';
import type { TrainingJobResource } from '../../../imports/index.js';
import { reductionTimes } from './gang/elastic.js';
import { releaseTimes } from './gang/give-back.js';
import { quotaTimes } from './gang/quota.js';
import { currentIn, isInPlace } from './job/job.js';
import type { Memory } from './job/memory.js';
import { blindAfter } from './plan/opening.js';
import { stopWithin } from './plan/stop.js';
import type { Situation } from './situation.js';

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
    ...unheardSince(situation, memory).flatMap((since) => after(since, spec.health.startWithin)),
    ...after(memory.startTime, spec.activeDeadline),
    ...(memory.stoppingTime === undefined ? [] : [memory.stoppingTime + stopWithin]),
    ...(isInPlace(situation) ? [lastWordsDue(situation)] : []),
    ...(memory.backoffUntil === undefined ? [] : [memory.backoffUntil]),
    ...reductionTimes(situation, memory),
    ...releaseTimes({ ...situation, memory }),
    ...quotaTimes({ ...situation, memory }),
    ...(roomUnknownSince === undefined ? [] : [roomUnknownSince + blindAfter]),
  ];
  const coming = times.filter((time) => time > now);
  return coming.length === 0 ? undefined : Math.min(...coming);
}

/** When the programs of Pods started that may be silent, before a generation has members. */
function unheardSince(situation: Situation, { members }: Memory): readonly number[] {
  if (!isInPlace(situation) || members.length > 0) return [];
  return currentIn(situation).flatMap(({ started }) => (started === undefined ? [] : [Date.parse(started)]));
}

/** When a job that has ended is deleted, in milliseconds since 1970. Undefined while it runs, or if it stays. */
export function expiresAt({
  spec: { ttlAfterFinished },
  status,
}: Pick<TrainingJobResource, 'spec' | 'status'>): number | undefined {
  const ended = status?.completionTime;
  if (ttlAfterFinished === undefined || ended === undefined) return undefined;
  return Date.parse(ended) + 1_000 * secondsOf(ttlAfterFinished);
}
