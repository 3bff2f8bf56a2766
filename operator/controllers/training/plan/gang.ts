import { secondsOf } from '../../../../crds/index.js';
import { type Gang, gangOrder } from '../ports/capacity.js';
import { canGoOn, isElastic, leastWorkers, superiorClaim } from './elastic.js';
import { claimIn, hasRoomFor } from './room/claims.js';
import { domainFor, within } from './room/domains.js';
import { type Demand, placesFor } from './room/places.js';
import {
  currentIn,
  isBackingOff,
  isInPlace,
  isOwn,
  lacksObject,
  placesIn,
  type Situation,
  type Worker,
} from './situation.js';

/** Milliseconds without an answer about the room after which the scheduler alone decides. */
export const blindAfter = 60_000;

/** The Pods that the scheduler may place and has not placed yet. */
export function scheduling(situation: Situation): readonly Worker[] {
  return currentIn(situation).filter(
    ({ isGated, phase, node }) => !isGated && phase === 'Pending' && node === undefined,
  );
}

/**
 * Pods of an earlier start that have not ended yet. With `recovery: Restart`, new ranks would find them under the same host
 * names, and join them. A Pod of a lost machine is not waited for: it may never end.
 */
export function oldPodsIn(situation: Situation): readonly Worker[] {
  if (isInPlace(situation)) return [];
  const current = currentIn(situation);
  return situation.workers.filter((one) => !current.includes(one) && !one.isNodeLost);
}

/** True if places without a Pod may get one now. With `recovery: Restart`, all Pods of a start are created together. */
export function mayCreate(situation: Situation): boolean {
  if (isInPlace(situation)) return true;
  if (isBackingOff(situation)) return false;
  // After a stop, the number of the next start is written down first.
  const hasNumber = situation.memory.stoppingTime === undefined;
  return hasNumber && !hasBegun(situation) && oldPodsIn(situation).length === 0;
}

/**
 * True once a gate of this start was open, or all of its Pods ran. Gates open only when all Pods exist, so one that is missing
 * from then on was lost. It follows from the Pods, so it is known before anything is written down.
 */
export function hasBegun(situation: Situation): boolean {
  return situation.memory.generationTime !== undefined || ofThisStart(situation).some(({ isGated }) => !isGated);
}

/** The Pods of the current start, those that are being deleted included. */
export function ofThisStart({ workers, memory, revision }: Situation): readonly Worker[] {
  return workers.filter((one) => one.revision === revision && one.incarnation === memory.incarnation);
}

/** The Pods that wait for the others. */
export function gatedIn(situation: Situation): readonly Worker[] {
  return currentIn(situation).filter(({ isGated }) => isGated);
}

/**
 * Machines that new Pods avoid. None if the others are too few for the job, even if they had no other Pods: it would wait
 * for ever. After faults of a program, that can be all machines.
 */
export function avoidedIn(situation: Situation, demand: Demand): readonly string[] {
  const { room } = situation;
  if (!room || demand.avoid.length === 0) return demand.avoid;
  const empty = room.nodes.map((node) => ({ ...node, free: node.allocatable ?? node.free }));
  const count = isElastic(situation) ? leastWorkers(situation) : placesIn(situation);
  return placesFor(demand, empty, count) < count ? [] : demand.avoid;
}

/** Pods that wait and avoid other machines than they should by now. Neither is changed in a Pod, so it is replaced. */
export function outdatedIn(situation: Situation, avoid: readonly string[]): readonly Worker[] {
  if (!situation.room) return [];
  return gatedIn(situation).filter((one) => (one.avoid ?? []).join() !== avoid.join());
}

/** The gates that can be opened now. */
export interface Opening {
  readonly pods: readonly Worker[];
  /** Why the others stay closed, as a sentence for people. */
  readonly obstacle?: string | undefined;
  /** Whether jobs of a lower priority go on with fewer workers for this one. */
  readonly displaces?: boolean | undefined;
  /** Value of the label `topology.key` that their nodes must have. Absent if they may differ. */
  readonly domain?: string | undefined;
}

/** The Pods whose gates can be opened: all that wait, or none. A job that has trained with fewer workers can use each of them. */
export function openingOf(situation: Situation, demand: Demand): Opening {
  const gated = gatedIn(situation);
  const obstacle = gated.length === 0 ? undefined : obstacleToOpening(gated, situation);
  const { room } = situation;
  if (gated.length === 0 || obstacle !== undefined) return { pods: [], obstacle };
  const chosen = chosenDomain(situation);
  if (!room && demand.topologyKey !== undefined && chosen === undefined)
    return {
      pods: [],
      obstacle: `the operator cannot read the nodes, and topology.policy Required needs their labels`,
    };
  if (!room) return { pods: gated, domain: chosen };
  const needed = chosen === undefined ? demand : within(demand, chosen);
  const places = placesFor(needed, room.nodes, gated.length);
  const domain = chosen ?? domainFor(demand, room.nodes, gated.length)?.value;
  if (places >= gated.length) return { pods: gated, domain };
  const { avoid } = demand;
  const without = avoid.length === 0 ? '' : `, without ${avoid.join(', ')} because of faults`;
  const few = `${fewPlaces(demand.topologyKey, { places, of: gated.length, domain, isChosen: chosen !== undefined })}${without}`;
  const claim = claimIn(room);
  if (claim && claim.from.length > 0 && isOwn(claim.gang, situation)) {
    const jobs = claim.from.map(({ namespace, job }) => `${namespace}/${job}`).join(', ');
    return { pods: [], displaces: true, obstacle: `${few}; with a lower priority, ${jobs} goes on with fewer` };
  }
  return { pods: isOfUse(places, gated, situation) ? gated.slice(0, places) : [], obstacle: few, domain };
}

/**
 * The value of the label `topology.key` that the nodes of the job have: that of a Pod whose gate was opened. A start has one,
 * so replacements go there too.
 */
export function chosenDomain(situation: Situation): string | undefined {
  return currentIn(situation).find(({ isGated, domain }) => !isGated && domain !== undefined)?.domain;
}

interface Few {
  readonly places: number;
  readonly of: number;
  readonly domain: string | undefined;
  readonly isChosen: boolean;
}

/** How many workers have room, as a sentence. */
function fewPlaces(key: string | undefined, { places, of, domain, isChosen }: Few): string {
  if (key === undefined) return `the nodes have room for ${places} of ${of} workers`;
  if (domain === undefined) return `no node with the label ${key} has room for a worker`;
  if (isChosen) return `the nodes with ${key}=${domain} have room for ${places} of ${of} workers`;
  return `no nodes with the same label ${key} have room for all workers; those with ${key}=${domain} have the most, for ${places} of ${of}`;
}

/** True if so many more Pods are enough for a generation. A job begins with all workers. */
function isOfUse(places: number, gated: readonly Worker[], situation: Situation): boolean {
  const others = currentIn(situation).length - gated.length;
  const hasTrained = situation.memory.members.length > 0;
  return isElastic(situation) && hasTrained && others + places >= leastWorkers(situation);
}

function obstacleToOpening(gated: readonly Worker[], situation: Situation): string | undefined {
  const { room, roomUnknownSince, now, spec, missingObject } = situation;
  if (missingObject && gated.some((one) => lacksObject(one, situation))) return missingObject.obstacle;
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

/**
 * Pods without a node that no Pod replaces until what they mount is there: neither the scheduler nor other jobs wait for them.
 * With `recovery: Restart`, all Pods of a start go together.
 */
export function withdrawnIn(situation: Situation): readonly Worker[] {
  const current = currentIn(situation);
  const canWithdraw = isInPlace(situation) || current.every(({ isGated }) => isGated);
  return canWithdraw ? current.filter((one) => waitsForObject(one, situation)) : [];
}

function waitsForObject(worker: Worker, situation: Situation): boolean {
  return worker.phase === 'Pending' && worker.node === undefined && lacksObject(worker, situation);
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

/**
 * True if the job must give its nodes back and wait again: its workers do not all get a node in time, or an older job is
 * being scheduled too, or others got its room, or an object that its Pods mount is not there.
 */
export function mustGiveBack(situation: Situation): boolean {
  const { memory, spec, now } = situation;
  const unplaced = scheduling(situation);
  if (memory.members.length === 0 && holdsWithoutObject(situation)) return true;
  if (unplaced.length === 0 || trainsWithout(unplaced, situation) || canGoOn(situation)) return false;
  const isLate = memory.openedTime !== undefined && now - memory.openedTime >= 1_000 * secondsOf(spec.gang.timeout);
  return isLate || (memory.members.length === 0 && mustGiveWay(situation));
}

/** The youngest of the jobs that are open at once gives way, and so does one whose room another one got. */
function mustGiveWay(situation: Situation): boolean {
  const opening = situation.room?.opening ?? [];
  const others = opening.filter((gang) => !isOwn(gang, situation));
  return others.length > 0 ? others.some((gang) => isElder(gang, situation)) : lacksRoom(situation);
}

/** By one answer alone: a Pod that got its node after the answer would count twice. */
function lacksRoom(situation: Situation): boolean {
  const { room } = situation;
  const own = room?.opening.find((gang) => isOwn(gang, situation));
  return (
    room !== undefined && own !== undefined && !hasRoomFor({ needs: own.needs, workers: own.unplaced }, room.nodes)
  );
}

/** True if Pods were released and others get no node, because an object that they mount is not there. */
function holdsWithoutObject(situation: Situation): boolean {
  const current = currentIn(situation);
  return current.some(({ isGated }) => !isGated) && current.some((one) => waitsForObject(one, situation));
}

/** Additional workers and spares hold up nobody: the members of the generation train meanwhile. */
function trainsWithout(unplaced: readonly Worker[], situation: Situation): boolean {
  const { members } = situation.memory;
  const placed = currentIn(situation).filter((one) => !unplaced.includes(one));
  return members.length > 0 && members.every(({ uid }) => placed.some((one) => one.uid === uid));
}

function isElder(gang: Gang, situation: Situation): boolean {
  const [queued = ''] = scheduling(situation)
    .map(({ created }) => created)
    .toSorted();
  return gangOrder(gang) < gangOrder({ queued, namespace: situation.namespace, job: situation.name });
}
