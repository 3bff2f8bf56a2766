import { secondsOf } from '../../../../crds/index.js';
import { currentIn, isInPlace, type ObservedJob } from '../job/job.js';
import type { Memory } from '../job/memory.js';
import { generationIn, membersIn } from '../job/ranks.js';
import type { CapacityAnswer, Gang } from '../ports/capacity.js';
import type { Member } from '../ports/coordinator.js';
import { type Claim, claimIn } from '../room/claims.js';
import type { Worker } from '../workers/worker.js';

/** A job, and what is known of the room for its workers. */
export interface GangState extends ObservedJob {
  /** Absent while it is not asked for or not known. */
  readonly room?: CapacityAnswer | undefined;
  /** The room cannot be read, for example without the permission, since this time. */
  readonly roomUnknownSince?: number | undefined;
}

/** True for the gang of the job itself. */
export function isOwn(gang: Gang, { namespace, name }: Pick<ObservedJob, 'namespace' | 'name'>): boolean {
  return gang.namespace === namespace && gang.job === name;
}

/** The number of workers with which a generation may go on. */
export function leastWorkers({ spec }: Pick<GangState, 'spec'>): number {
  return isInPlace({ spec }) ? (spec.minWorkers ?? spec.workers) : spec.workers;
}

/** True if the job can train with fewer workers than it wants. */
export function isElastic({ spec }: Pick<GangState, 'spec'>): boolean {
  return leastWorkers({ spec }) < spec.workers;
}

/** The number of workers of the next generation, if there is room: a displaced job has no more than it needs. */
export function wantedWorkers({ spec, memory }: Pick<GangState, 'spec' | 'memory'>): number {
  return memory.displacedBy === undefined ? spec.workers : leastWorkers({ spec });
}

/** True if the current generation has fewer workers than the job wants, until there is room. */
export function isReduced(job: Pick<GangState, 'spec' | 'report' | 'memory'>): boolean {
  const { length } = membersIn(job);
  return isElastic(job) && length > 0 && length < job.spec.workers;
}

/**
 * True if a generation of these Pods may begin. Fewer than in the current generation are enough after each member that is
 * not one of them was lost with its Pod, and had no replacement in time.
 */
export function isEnough(next: readonly Pick<Member, 'uid'>[], job: GangState): boolean {
  const { now } = job;
  const wanted = wantedWorkers(job);
  if (next.length === wanted) return true;
  const members = membersIn(job);
  if (members.length === 0 || next.length < leastWorkers(job)) return false;
  const missing = members.filter(({ uid }) => !next.some((one) => one.uid === uid));
  return (
    next.length >= Math.min(members.length, wanted) ||
    missing.every((one) => (givenUpAt(one, job) ?? Number.POSITIVE_INFINITY) <= now)
  );
}

/** When a member needs no replacement any more, in milliseconds since 1970. Undefined if it was not lost with its Pod. */
function givenUpAt({ uid }: Pick<Member, 'uid'>, { spec, memory }: Pick<GangState, 'spec' | 'memory'>) {
  const lost = memory.faults.find((fault) => fault.uid === uid && fault.grade === 'Pod');
  return lost && Date.parse(lost.time) + 1_000 * secondsOf(spec.replaceWithin);
}

/** The times at which lost members are given up. */
export function reductionTimes({ spec }: Pick<GangState, 'spec'>, memory: Memory): readonly number[] {
  return isElastic({ spec }) ? memory.members.flatMap((one) => givenUpAt(one, { spec, memory }) ?? []) : [];
}

/** True if enough members are there to go on without the others. */
export function canGoOn(job: GangState): boolean {
  const placed = currentIn(job).filter(({ node }) => node !== undefined);
  const left = membersIn(job).filter(({ uid }) => placed.some((one) => one.uid === uid));
  return isElastic(job) && left.length > 0 && left.length >= leastWorkers(job);
}

/** The claim of a job with a higher priority, before which this job opens no gates. */
export function superiorClaim(job: Pick<GangState, 'room' | 'workers' | 'namespace' | 'name'>): Claim | undefined {
  const { room, workers } = job;
  const claim = room && claimIn(room);
  const priority = Math.max(...workers.map((one) => one.priority ?? 0));
  return claim && !isOwn(claim.gang, job) && claim.gang.priority > priority ? claim : undefined;
}

type Displacement = Pick<Memory, 'displacedBy' | 'displacedGeneration'>;

/**
 * The job for which this one goes on with `minWorkers`. It stays so while that job waits, because what was given up already
 * is no more to be given. An unknown room changes nothing.
 */
export function displacementOf(job: GangState): Displacement {
  const { room, memory } = job;
  const none = { displacedBy: undefined, displacedGeneration: undefined };
  if (!isElastic(job) || memory.members.length === 0) return none;
  const before = { displacedBy: memory.displacedBy, displacedGeneration: memory.displacedGeneration };
  if (!room) return before;
  const claim = claimIn(room);
  if (!claim || isOwn(claim.gang, job)) return none;
  const by = `${claim.gang.namespace}/${claim.gang.job}`;
  if (memory.displacedBy === by) return before;
  const isSource = claim.from.some((gang) => isOwn(gang, job));
  return isSource ? { displacedBy: by, displacedGeneration: generationIn(job) } : none;
}

/** True until a generation begins in which a displaced job has `minWorkers`. One with more may have begun unseen. */
export function mustGiveUp(job: Pick<GangState, 'report' | 'memory'>): boolean {
  const { displacedBy, displacedGeneration = 0 } = job.memory;
  return displacedBy !== undefined && generationIn(job) <= displacedGeneration;
}

/** Pods that a displaced job gives up, once a generation without them has begun. Lost members get another Pod. */
export function surplusIn(job: GangState): readonly Worker[] {
  const members = membersIn(job);
  const least = leastWorkers(job);
  const isSmall = members.length > 0 && members.length <= least;
  if (job.memory.displacedBy === undefined || mustGiveUp(job) || !isSmall) return [];
  const held = currentIn(job).filter(({ isGated }) => !isGated);
  const others = held.filter(({ uid }) => !members.some((member) => member.uid === uid));
  return others.slice(Math.max(0, least - (held.length - others.length)));
}
