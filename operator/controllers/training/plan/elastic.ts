import { secondsOf } from '../../../../crds/index.js';
import type { Member } from '../ports/coordinator.js';
import { currentIn, isInPlace, type Memory, membersIn, type Situation } from './situation.js';

/** The number of workers with which a generation may go on. */
export function leastWorkers({ spec }: Pick<Situation, 'spec'>): number {
  return isInPlace({ spec }) ? (spec.minWorkers ?? spec.workers) : spec.workers;
}

/** True if the job can train with fewer workers than it wants. */
export function isElastic({ spec }: Pick<Situation, 'spec'>): boolean {
  return leastWorkers({ spec }) < spec.workers;
}

/** True if the current generation has fewer workers than the job wants, until there is room. */
export function isReduced(situation: Pick<Situation, 'spec' | 'report' | 'memory'>): boolean {
  const { length } = membersIn(situation);
  return isElastic(situation) && length > 0 && length < situation.spec.workers;
}

/**
 * True if a generation of these Pods may begin. Fewer than in the current generation are enough after each member that is
 * not one of them was lost with its Pod, and had no replacement in time.
 */
export function isEnough(next: readonly Pick<Member, 'uid'>[], situation: Situation): boolean {
  const { spec, now } = situation;
  if (next.length === spec.workers) return true;
  const members = membersIn(situation);
  if (members.length === 0 || next.length < leastWorkers(situation)) return false;
  const missing = members.filter(({ uid }) => !next.some((one) => one.uid === uid));
  return (
    next.length >= Math.min(members.length, spec.workers) ||
    missing.every((one) => (givenUpAt(one, situation) ?? Number.POSITIVE_INFINITY) <= now)
  );
}

/** When a member needs no replacement any more, in milliseconds since 1970. Undefined if it was not lost with its Pod. */
function givenUpAt({ uid }: Pick<Member, 'uid'>, { spec, memory }: Pick<Situation, 'spec' | 'memory'>) {
  const lost = memory.faults.find((fault) => fault.uid === uid && fault.grade === 'Pod');
  return lost && Date.parse(lost.time) + 1_000 * secondsOf(spec.replaceWithin);
}

/** The times at which lost members are given up. */
export function reductionTimes({ spec }: Pick<Situation, 'spec'>, memory: Memory): readonly number[] {
  return isElastic({ spec }) ? memory.members.flatMap((one) => givenUpAt(one, { spec, memory }) ?? []) : [];
}

/** True if enough members are there to go on without the others. */
export function canGoOn(situation: Situation): boolean {
  const placed = currentIn(situation).filter(({ node }) => node !== undefined);
  const left = membersIn(situation).filter(({ uid }) => placed.some((one) => one.uid === uid));
  return isElastic(situation) && left.length > 0 && left.length >= leastWorkers(situation);
}
