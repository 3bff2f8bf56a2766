import { isLeft, type Seen } from '../job/job.js';
import type { Leftover } from '../ports/leftovers.js';

/** Executors that have ended and stay while their driver runs, for their logs. */
const endedKept = 10;
/** The most executors that one call deletes. */
const most = 50;

/**
 * Executors of attempts whose driver has ended, and of the current attempt those beyond some that have ended. One that
 * terminates already is left to Kubernetes.
 */
export function leftoversIn(seen: Seen): readonly Leftover[] {
  const there = seen.executors.filter(({ isOwn, isEnding }) => isOwn && !isEnding);
  const left = there.filter((one) => isLeft(one, seen));
  // Spark marks an executor whose end it has seen.
  const ended = there.filter((one) => one.isInactive && !one.mayRun && !left.includes(one));
  return [...left, ...ended.slice(endedKept)]
    .map(({ name, uid }) => ({ name, uid }))
    .toSorted((a, b) => (a.uid < b.uid ? -1 : 1))
    .slice(0, most);
}
