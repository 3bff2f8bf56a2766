import type { CoordinatorAct } from '../ports/coordinator.js';
import { stopWithin } from './deadlines.js';
import { leastWorkers, surplusIn } from './elastic.js';
import { avoidedIn, chosenDomain, givenBackIn, mayCreate, openingOf, outdatedIn, withdrawnIn } from './gang.js';
import { nextAct } from './generation.js';
import type { Demand } from './room/places.js';
import {
  currentIn,
  isCondemned,
  isInPlace,
  isStopping,
  lacksObject,
  membersIn,
  placesIn,
  ranksOf,
  type Situation,
  type Worker,
} from './situation.js';

export { nextDeadline } from './deadlines.js';
export { isElastic, isReduced } from './elastic.js';
export { exitMessage } from './exit-message.js';
export { evicted } from './faults.js';
export { oldPodsIn, scheduling } from './gang.js';
export { type Goodput, goodputAfter } from './goodput.js';
export { nextMemory } from './memory.js';
export { activityOf, isTraining, phaseOf } from './phase.js';
export { progressOf } from './progress.js';
export type { Demand } from './room/places.js';
export {
  currentIn,
  type End,
  type Fault,
  generationIn,
  isBackingOff,
  isInPlace,
  isOpen,
  isStopping,
  lacksObject,
  type Memory,
  type MissingObject,
  memberRanks,
  membersIn,
  placesIn,
  ranksOf,
  type Situation,
  stepOf,
  type Worker,
} from './situation.js';
export { slownessOf, stragglersIn } from './stragglers.js';

/** A Pod to render. */
export interface PodPlan extends Pick<Worker, 'index' | 'attempt'> {
  /** `keep` changes nothing, `create` makes a new Pod, and `open` removes the gate. */
  readonly act: 'keep' | 'create' | 'open';
  readonly isGated: boolean;
  /** Value of the label `topology.key` that the node of a Pod without a gate must have. Absent if it does not change. */
  readonly domain?: string | undefined;
  /** Machines that must not run a new Pod, or one whose gate opens. @default [] */
  readonly avoid?: readonly string[];
}

/** The Pods and the call that a reconcile renders. */
export interface Plan {
  readonly pods: readonly PodPlan[];
  readonly call?: CoordinatorAct | undefined;
  /** Why workers wait for room. */
  readonly queued?: string | undefined;
  /** Whether jobs of a lower priority go on with fewer workers for this one. */
  readonly displaces?: boolean | undefined;
}

/** Attempts of one place. Earlier Pods of the place can be terminating on lost nodes. */
const attempts = 100;

/** Plans the next step. Only a Pod whose fault the memory has is replaced. */
export function planOf(situation: Situation, demand: Demand): Plan {
  const { memory } = situation;
  if (memory.end) return { pods: endedPods(situation) };
  const call = isInPlace(situation) ? nextAct(situation) : undefined;
  if (isStopping(situation)) return { pods: mayStop(situation) ? [] : kept(runningNow(situation)), call };
  // A Pod that the memory has as a member would count as lost.
  const surplus = surplusIn(situation).filter(({ uid }) => !memory.members.some((member) => member.uid === uid));
  const avoid = avoidedIn(situation, demand);
  const outdated = mayCreate(situation) ? outdatedIn(situation, avoid) : [];
  const back = [...givenBackIn(situation), ...surplus, ...outdated];
  const withdrawn = withdrawnIn(situation);
  const current = currentIn(situation).filter((one) => !back.includes(one) && !withdrawn.includes(one));
  const { pods: opened, obstacle: queued, displaces, domain } = openingOf(situation, { ...demand, avoid });
  const there = [...current, ...ranksBeyond(situation)].map((one) => {
    const isOpened = opened.includes(one);
    const act = isOpened ? ('open' as const) : ('keep' as const);
    const pinned = isOpened && domain !== undefined ? { domain } : {};
    // A Pod keeps what it avoids, since that cannot change.
    const kept = isOpened && one.avoid ? { avoid: one.avoid } : {};
    return { index: one.index, attempt: one.attempt, act, isGated: one.isGated && !isOpened, ...pinned, ...kept };
  });
  // Beside workers that were released, one more waits for nobody.
  const chosen = chosenDomain(situation);
  const isUnchosen = demand.topologyKey !== undefined && chosen === undefined;
  const allGated = isUnchosen || current.every((one) => one.isGated);
  const held = current.filter((one) => !one.isGated).length;
  const most = memory.displacedBy === undefined ? Number.POSITIVE_INFINITY : leastWorkers(situation);
  const missing = mayCreate(situation) ? missingIn(situation, current) : [];
  const lacking = missing.filter((place) => lacksObject(place, situation));
  const fresh = missing
    .filter((place) => !lacking.includes(place))
    .map((place, number) => {
      const isGated = allGated || held + number >= most || back.some(({ index }) => index === place.index);
      const pinned = !isGated && chosen !== undefined ? { domain: chosen } : {};
      return { ...place, act: 'create' as const, isGated, ...pinned, ...(avoid.length > 0 && { avoid }) };
    });
  const obstacle = lacking.length > 0 ? situation.missingObject?.obstacle : queued;
  return { pods: [...there, ...fresh], call, queued: obstacle, displaces };
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

function kept(workers: readonly Worker[]): readonly PodPlan[] {
  return workers.map(({ index, attempt, isGated }) => ({ index, attempt, isGated, act: 'keep' }));
}

/** Places without a Pod, each with an attempt whose name is free. */
function missingIn(situation: Situation, current: readonly Worker[]): readonly Pick<Worker, 'index' | 'attempt'>[] {
  return Array.from({ length: placesIn(situation) }, (_, index) => index)
    .filter((index) => !current.some((one) => one.index === index))
    .flatMap((index) => {
      const taken = situation.workers.filter((one) => one.index === index).map(({ attempt }) => attempt);
      const attempt = Array.from({ length: attempts }, (_, number) => number).find((number) => !taken.includes(number));
      return attempt === undefined ? [] : [{ index, attempt }];
    });
}

/** Running Pods are deleted when a job ends, and those that have ended are kept by the policy. */
function endedPods({ workers, spec }: Situation): readonly PodPlan[] {
  const isKept = ({ isEnding, isHeld, phase }: Worker) =>
    !isEnding &&
    !isHeld &&
    ((phase === 'Failed' && spec.cleanPods !== 'All') || (phase === 'Succeeded' && spec.cleanPods === 'None'));
  return kept(workers.filter(isKept));
}

function runningNow({ workers }: Situation): readonly Worker[] {
  return workers.filter(({ isEnding }) => !isEnding);
}

/** States of a process whose state may not be on the volume yet. One that waits for its peers writes it when it is asked to. */
const unsaved: ReadonlySet<string> = new Set(['joining', 'training', 'finishing', 'waiting']);

/** True if the members have written their checkpoint, cannot, or had enough time. */
function mayStop(situation: Situation): boolean {
  const { report, memory, now, workers } = situation;
  if (!workers.some(({ phase }) => phase === 'Running')) return true;
  // A generation that began a moment ago may not be known yet. The memory that the job stops covers it.
  const since = memory.stoppingTime;
  if (since === undefined) return false;
  // Without that memory, Pods that are deleted would count as lost.
  if (!isInPlace(situation)) return true;
  // A coordinator that does not answer may have begun one, too.
  if (report && membersIn(situation).length === 0) return true;
  if (now - since >= stopWithin) return true;
  if (!report?.isSuspended) return false;
  return membersIn(situation)
    .filter(({ uid }) => workers.some((one) => one.uid === uid && canSave(one, situation)))
    .every((member) => isSaved(member, situation));
}

/** A lost member writes nothing any more, and what it said last still says that it trains. */
function canSave(worker: Worker, { memory }: Situation): boolean {
  return worker.phase === 'Running' && !worker.isEnding && !worker.isNodeLost && !isCondemned(worker, memory);
}

/** A coordinator that was started again may not have heard of the processes yet, nor they of its orders. */
function isSaved(member: Pick<Worker, 'uid'>, situation: Situation): boolean {
  const ranks = ranksOf(member, situation);
  return ranks.length >= situation.spec.processesPerWorker && ranks.every(({ state }) => !unsaved.has(state));
}
