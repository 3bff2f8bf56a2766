import { secondsOf } from '../../../../crds/index.js';
import type { Member } from '../ports/coordinator.js';
import { type Claim, claimIn } from './room/claims.js';
import {
  currentIn,
  generationIn,
  isInPlace,
  isOwn,
  type Memory,
  membersIn,
  type Situation,
  type Worker,
} from './situation.js';

/** The number of workers with which a generation may go on. */
export function leastWorkers({ spec }: Pick<Situation, 'spec'>): number {
  return isInPlace({ spec }) ? (spec.minWorkers ?? spec.workers) : spec.workers;
}

/** True if the job can train with fewer workers than it wants. */
export function isElastic({ spec }: Pick<Situation, 'spec'>): boolean {
  return leastWorkers({ spec }) < spec.workers;
}

/** The number of workers of the next generation, if there is room: a displaced job has no more than it needs. */
export function wantedWorkers({ spec, memory }: Pick<Situation, 'spec' | 'memory'>): number {
  return memory.displacedBy === undefined ? spec.workers : leastWorkers({ spec });
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
  const { now } = situation;
  const wanted = wantedWorkers(situation);
  if (next.length === wanted) return true;
  const members = membersIn(situation);
  if (members.length === 0 || next.length < leastWorkers(situation)) return false;
  const missing = members.filter(({ uid }) => !next.some((one) => one.uid === uid));
  return (
    next.length >= Math.min(members.length, wanted) ||
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

/** The claim of a job with a higher priority, before which this job opens no gates. */
export function superiorClaim(
  situation: Pick<Situation, 'room' | 'workers' | 'namespace' | 'name'>,
): Claim | undefined {
  const { room, workers } = situation;
  const claim = room && claimIn(room);
  const priority = Math.max(...workers.map((one) => one.priority ?? 0));
  return claim && !isOwn(claim.gang, situation) && claim.gang.priority > priority ? claim : undefined;
}

type Displacement = Pick<Memory, 'displacedBy' | 'displacedGeneration'>;

/**
 * The job for which this one goes on with `minWorkers`. It stays so while that job waits, because what was given up already
 * is no more to be given. An unknown room changes nothing.
 */
export function displacementOf(situation: Situation): Displacement {
  const { room, memory } = situation;
  const none = { displacedBy: undefined, displacedGeneration: undefined };
  if (!isElastic(situation) || memory.members.length === 0) return none;
  const before = { displacedBy: memory.displacedBy, displacedGeneration: memory.displacedGeneration };
  if (!room) return before;
  const claim = claimIn(room);
  if (!claim || isOwn(claim.gang, situation)) return none;
  const by = `${claim.gang.namespace}/${claim.gang.job}`;
  if (memory.displacedBy === by) return before;
  const isSource = claim.from.some((gang) => isOwn(gang, situation));
  return isSource ? { displacedBy: by, displacedGeneration: generationIn(situation) } : none;
}

/** True until a generation begins in which a displaced job has `minWorkers`. One with more may have begun unseen. */
export function mustGiveUp(situation: Pick<Situation, 'report' | 'memory'>): boolean {
  const { displacedBy, displacedGeneration = 0 } = situation.memory;
  return displacedBy !== undefined && generationIn(situation) <= displacedGeneration;
}

/** Pods that a displaced job gives up, once a generation without them has begun. Lost members get another Pod. */
export function surplusIn(situation: Situation): readonly Worker[] {
  const members = membersIn(situation);
  const least = leastWorkers(situation);
  const isSmall = members.length > 0 && members.length <= least;
  if (situation.memory.displacedBy === undefined || mustGiveUp(situation) || !isSmall) return [];
  const held = currentIn(situation).filter(({ isGated }) => !isGated);
  const others = held.filter(({ uid }) => !members.some((member) => member.uid === uid));
  return others.slice(Math.max(0, least - (held.length - others.length)));
}
