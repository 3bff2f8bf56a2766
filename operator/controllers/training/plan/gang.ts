import { secondsOf } from '../../../../crds/index.js';
import { gangOrder } from '../ports/capacity.js';
import { canGoOn, isElastic, leastWorkers, superiorClaim } from './elastic.js';
import { claimIn } from './room/claims.js';
import { type Demand, placesFor } from './room/places.js';
import { currentIn, isOwn, placesIn, type Situation, type Worker } from './situation.js';

/** Milliseconds without an answer about the room after which the scheduler alone decides. */
export const blindAfter = 60_000;

/** The Pods that the scheduler may place and has not placed yet. */
export function scheduling(situation: Situation): readonly Worker[] {
  return currentIn(situation).filter(
    ({ isGated, phase, node }) => !isGated && phase === 'Pending' && node === undefined,
  );
}

/** The Pods that wait for the others. */
export function gatedIn(situation: Situation): readonly Worker[] {
  return currentIn(situation).filter(({ isGated }) => isGated);
}

/** The gates that can be opened now. */
export interface Opening {
  readonly pods: readonly Worker[];
  /** Why the others stay closed, as a sentence for people. */
  readonly obstacle?: string | undefined;
  /** Whether jobs of a lower priority go on with fewer workers for this one. */
  readonly displaces?: boolean | undefined;
}

/** The Pods whose gates can be opened: all that wait, or none. A job that has trained with fewer workers can use each of them. */
export function openingOf(situation: Situation, demand: Demand): Opening {
  const gated = gatedIn(situation);
  const obstacle = gated.length === 0 ? undefined : obstacleToOpening(gated, situation);
  const { room } = situation;
  if (gated.length === 0 || obstacle !== undefined) return { pods: [], obstacle };
  if (!room) return { pods: gated };
  const places = placesFor(demand, room.nodes, gated.length);
  if (places >= gated.length) return { pods: gated };
  const few = `the nodes have room for ${places} of ${gated.length} workers`;
  const claim = claimIn(room);
  if (claim && claim.from.length > 0 && isOwn(claim.gang, situation)) {
    const jobs = claim.from.map(({ namespace, job }) => `${namespace}/${job}`).join(', ');
    return { pods: [], displaces: true, obstacle: `${few}; with a lower priority, ${jobs} goes on with fewer` };
  }
  return { pods: isOfUse(places, gated, situation) ? gated.slice(0, places) : [], obstacle: few };
}

/** True if so many more Pods are enough for a generation. A job begins with all workers. */
function isOfUse(places: number, gated: readonly Worker[], situation: Situation): boolean {
  const others = currentIn(situation).length - gated.length;
  const hasTrained = situation.memory.members.length > 0;
  return isElastic(situation) && hasTrained && others + places >= leastWorkers(situation);
}

function obstacleToOpening(gated: readonly Worker[], situation: Situation): string | undefined {
  const { room, roomUnknownSince, now, spec } = situation;
  const missing = placesIn(situation) - currentIn(situation).length;
  if (missing > 0) return `${missing} Pods do not exist yet`;
  if (gated.some((one) => reopensAt(one, gated, situation) > now))
    return `workers that found no node are released again after ${spec.replaceWithin}`;
  if (!room) {
    // Without the permission to read nodes, the timeout alone resolves what does not fit.
    const isBlind = roomUnknownSince !== undefined && now - roomUnknownSince >= blindAfter;
    return isBlind ? undefined : 'the room on the nodes is not known yet';
  }
  const superior = superiorClaim(situation)?.gang;
  if (superior) return `TrainingJob ${superior.namespace}/${superior.job} with a higher priority waits for room`;
  const other = room.opening.find((gang) => !isOwn(gang, situation));
  return other && `the workers of TrainingJob ${other.namespace}/${other.job} are being scheduled first`;
}

/** Other jobs get the time in which a job that trains looks for a node in vain. */
function reopensAt({ created }: Worker, gated: readonly Worker[], situation: Situation): number {
  const wait = 1_000 * secondsOf(situation.spec.replaceWithin);
  return isElastic(situation) && trainsWithout(gated, situation) ? Date.parse(created) + wait : 0;
}

/**
 * Pods without a node whose place gets a gated Pod, because the members of the generation train without them. A Pod that
 * waits for the scheduler holds up the workers of all other jobs.
 */
export function givenBackIn(situation: Situation): readonly Worker[] {
  const { now } = situation;
  const unplaced = scheduling(situation);
  if (unplaced.length === 0 || !isElastic(situation) || !trainsWithout(unplaced, situation)) return [];
  return unplaced.filter((one) => (givenBackAt(one, situation) ?? Number.POSITIVE_INFINITY) <= now);
}

/** Undefined before it is written down that the scheduler may place the Pod. */
function givenBackAt({ created }: Worker, { memory, spec }: Situation): number | undefined {
  const { openedTime } = memory;
  return openedTime && Math.max(openedTime, Date.parse(created)) + 1_000 * secondsOf(spec.replaceWithin);
}

/** The times at which Pods of a job that trains are given back, or released again. */
export function releaseTimes(situation: Situation): readonly number[] {
  if (!isElastic(situation)) return [];
  const gated = gatedIn(situation);
  return [
    ...scheduling(situation).flatMap((one) => givenBackAt(one, situation) ?? []),
    ...gated.map((one) => reopensAt(one, gated, situation)),
  ];
}

type Gang = NonNullable<Situation['room']>['opening'][number];

/**
 * True if the job must give its nodes back and wait again: its workers do not all get a node in time, or an older job is
 * being scheduled too. Of two jobs that each hold a part of the room, only the younger one gives way.
 */
export function mustGiveBack(situation: Situation): boolean {
  const { memory, spec, now } = situation;
  const unplaced = scheduling(situation);
  if (unplaced.length === 0 || trainsWithout(unplaced, situation) || canGoOn(situation)) return false;
  const isLate = memory.openedTime !== undefined && now - memory.openedTime >= 1_000 * secondsOf(spec.gang.timeout);
  return (
    isLate || (memory.members.length === 0 && (situation.room?.opening ?? []).some((gang) => isElder(gang, situation)))
  );
}

/** Additional workers and spares hold up nobody: the members of the generation train meanwhile. */
function trainsWithout(unplaced: readonly Worker[], situation: Situation): boolean {
  const { members } = situation.memory;
  const placed = currentIn(situation).filter((one) => !unplaced.includes(one));
  return members.length > 0 && members.every(({ uid }) => placed.some((one) => one.uid === uid));
}

function isElder(gang: Gang, situation: Situation): boolean {
  if (isOwn(gang, situation)) return false;
  const [queued = ''] = scheduling(situation)
    .map(({ created }) => created)
    .toSorted();
  return gangOrder(gang) < gangOrder({ queued, namespace: situation.namespace, job: situation.name });
}
