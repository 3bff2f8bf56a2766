import { isElastic, leastWorkers, surplusIn } from '../gang/elastic.js';
import { givenBackIn, withdrawnIn } from '../gang/give-back.js';
import { allowedPods, quotaObstacle } from '../gang/quota.js';
import { currentIn, isBackingOff, isCondemned, isInPlace, lacksObject, placesIn } from '../job/job.js';
import { gatedIn, hasBegun, oldPodsIn } from '../job/starts.js';
import { type Demand, placesFor } from '../room/places.js';
import type { Situation } from '../situation.js';
import type { Worker } from '../workers/worker.js';
import { chosenDomain, type Opening, openingOf } from './opening.js';
import type { PodPlan, PodStep } from './step.js';

/**
 * The Pods of a job that runs: Pods are kept, their gates are opened, and empty places get a Pod. Only a Pod whose fault the
 * memory has is replaced.
 */
export function placement(situation: Situation, demand: Demand): PodStep {
  const { memory } = situation;
  // A Pod that the memory has as a member would count as lost.
  const surplus = surplusIn(situation).filter(({ uid }) => !memory.members.some((member) => member.uid === uid));
  const avoid = avoidedIn(situation, demand);
  const outdated = mayCreate(situation) ? outdatedIn(situation, avoid) : [];
  const back = [...givenBackIn(situation), ...surplus, ...outdated];
  const withdrawn = withdrawnIn(situation);
  const current = currentIn(situation).filter((one) => !back.includes(one) && !withdrawn.includes(one));
  const opening = openingOf(situation, { ...demand, avoid });
  const missing = mayCreate(situation) ? missingIn(situation, current) : [];
  const lacking = missing.filter((place) => lacksObject(place, situation));
  const wanted = missing.filter((place) => !lacking.includes(place));
  const places = wanted.slice(0, allowedPods(situation, wanted.length));
  const short = places.length < wanted.length ? quotaObstacle(situation, wanted.length) : undefined;
  const there = [...current, ...ranksBeyond(situation)].map((one) => keptOrOpened(one, opening));
  const fresh = created(places, { situation, demand, current, back, avoid });
  const obstacle = lacking.length > 0 ? situation.missingObject?.obstacle : (short ?? opening.obstacle);
  return { pods: [...there, ...fresh], queued: obstacle, isShort: short !== undefined, displaces: opening.displaces };
}

function keptOrOpened(one: Worker, { pods: opened, domain }: Opening): PodPlan {
  const isOpened = opened.includes(one);
  const act = isOpened ? ('open' as const) : ('keep' as const);
  const pinned = isOpened && domain !== undefined ? { domain } : {};
  // A Pod keeps what it avoids, since that cannot change.
  const avoided = isOpened && one.avoid ? { avoid: one.avoid } : {};
  return { index: one.index, attempt: one.attempt, act, isGated: one.isGated && !isOpened, ...pinned, ...avoided };
}

/** What new Pods depend on. */
interface Beside {
  readonly situation: Situation;
  readonly demand: Demand;
  /** Pods that stay. */
  readonly current: readonly Worker[];
  /** Pods whose places get gated Pods. */
  readonly back: readonly Worker[];
  readonly avoid: readonly string[];
}

type Place = Pick<Worker, 'index' | 'attempt'>;

/** Beside workers that were released, one more waits for nobody. */
function created(places: readonly Place[], { situation, demand, current, back, avoid }: Beside): readonly PodPlan[] {
  const chosen = chosenDomain(situation);
  const isUnchosen = demand.topologyKey !== undefined && chosen === undefined;
  const allGated = isUnchosen || current.every((one) => one.isGated);
  const held = current.filter((one) => !one.isGated).length;
  const most = situation.memory.displacedBy === undefined ? Number.POSITIVE_INFINITY : leastWorkers(situation);
  return places.map((place, number) => {
    const isGated = allGated || held + number >= most || back.some(({ index }) => index === place.index);
    const pinned = !isGated && chosen !== undefined ? { domain: chosen } : {};
    return { ...place, act: 'create' as const, isGated, ...pinned, ...(avoid.length > 0 && { avoid }) };
  });
}

/** True if places without a Pod may get one now. With `recovery: Restart`, all Pods of a start are created together. */
function mayCreate(situation: Situation): boolean {
  if (isInPlace(situation)) return true;
  if (isBackingOff(situation)) return false;
  // After a stop, the number of the next start is written down first.
  const hasNumber = situation.memory.stoppingTime === undefined;
  return hasNumber && !hasBegun(situation) && oldPodsIn(situation).length === 0;
}

/**
 * Machines that new Pods avoid. None if the others are too few for the job, even if they had no other Pods: it would wait
 * for ever. After faults of a program, that can be all machines.
 */
function avoidedIn(situation: Situation, demand: Demand): readonly string[] {
  const { room } = situation;
  if (!room || demand.avoid.length === 0) return demand.avoid;
  const empty = room.nodes.map((node) => ({ ...node, free: node.allocatable ?? node.free }));
  const count = isElastic(situation) ? leastWorkers(situation) : placesIn(situation);
  return placesFor(demand, empty, count) < count ? [] : demand.avoid;
}

/** Pods that wait and avoid other machines than they should by now. Neither is changed in a Pod, so it is replaced. */
function outdatedIn(situation: Situation, avoid: readonly string[]): readonly Worker[] {
  if (!situation.room) return [];
  return gatedIn(situation).filter((one) => (one.avoid ?? []).join() !== avoid.join());
}

/** Pods that the job does not want any more have a rank until a generation without them begins. */
function ranksBeyond({ workers, memory, ...job }: Situation): readonly Worker[] {
  return workers.filter(
    (one) =>
      one.index >= placesIn(job) &&
      !one.isEnding &&
      !isCondemned(one, memory) &&
      memory.members.some(({ uid }) => uid === one.uid),
  );
}

/** Attempts of one place. Earlier Pods of the place can be terminating on lost nodes. */
const attempts = 100;

/** Places without a Pod, each with an attempt whose name is free. */
function missingIn(situation: Situation, current: readonly Worker[]): readonly Place[] {
  return Array.from({ length: placesIn(situation) }, (_, index) => index)
    .filter((index) => !current.some((one) => one.index === index))
    .flatMap((index) => {
      const taken = situation.workers.filter((one) => one.index === index).map(({ attempt }) => attempt);
      const attempt = Array.from({ length: attempts }, (_, number) => number).find((number) => !taken.includes(number));
      return attempt === undefined ? [] : [{ index, attempt }];
    });
}
