import { secondsOf } from '../../../../crds/index.js';
import { reductionTimes } from './elastic.js';
import { blindAfter, releaseTimes } from './gang.js';
import type { NewFault } from './new-fault.js';
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

/** True for a fault that a repair alone may not cure, because the data or the program can cause it again. */
export function isSpike({ kind }: Pick<NewFault, 'kind'>): boolean {
  return kind === 'NonFiniteLoss' || kind === 'LogSlow';
}

/** The pause before the restart after so many faults of the loss in a window, in milliseconds. */
export function pauseAfter(spikes: number, { restarts: { spike } }: Situation['spec']): number {
  if (spikes < 2) return 0;
  return 1_000 * Math.min(secondsOf(spike.max), secondsOf(spike.backoff) * 2 ** (spikes - 2));
}

/** What the memory has of the pause after these faults. Those of one reconcile are repaired by one restart. */
export function backoffAfter(
  found: readonly NewFault[],
  { spikes = 0 }: Pick<Memory, 'spikes'>,
  { spec, now }: Pick<Situation, 'spec' | 'now'>,
): Pick<Memory, 'spikes' | 'backoffUntil'> {
  if (!found.some(isSpike)) return {};
  const pause = pauseAfter(spikes + 1, spec);
  // The status has whole seconds.
  return { spikes: spikes + 1, ...(pause > 0 && { backoffUntil: 1_000 * Math.ceil((now + pause) / 1_000) }) };
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
    ...(memory.backoffUntil === undefined ? [] : [memory.backoffUntil]),
    ...reductionTimes(situation, memory),
    ...releaseTimes({ ...situation, memory }),
    ...(roomUnknownSince === undefined ? [] : [roomUnknownSince + blindAfter]),
  ];
  const coming = times.filter((time) => time > now);
  return coming.length === 0 ? undefined : Math.min(...coming);
}
