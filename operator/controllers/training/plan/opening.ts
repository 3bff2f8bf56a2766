import { isElastic, isOwn, leastWorkers, superiorClaim } from '../gang/elastic.js';
import { reopensAt } from '../gang/give-back.js';
import { currentIn, lacksObject, placesIn } from '../job/job.js';
import { gatedIn } from '../job/starts.js';
import { claimIn } from '../room/claims.js';
import { domainFor, within } from '../room/domains.js';
import { type Demand, placesFor } from '../room/places.js';
import type { Situation } from '../situation.js';
import type { Worker } from '../workers/worker.js';

/** Milliseconds without an answer about the room after which the scheduler alone decides. */
export const blindAfter = 60_000;

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
