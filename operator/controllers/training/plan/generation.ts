import { secondsOf } from '../../../../crds/index.js';
import { logFaultOf } from '../faults/log-faults.js';
import { lossFaultsOf } from '../faults/new-fault.js';
import { pauseAfter } from '../faults/spikes.js';
import { isEnough, mustGiveUp, surplusIn, wantedWorkers } from '../gang/elastic.js';
import { currentIn, isCondemned } from '../job/job.js';
import { generationIn, isPastJoin, memberRanks, membersIn, ranksOf, stepsDone } from '../job/ranks.js';
import type { CoordinatorAct, Member, RankReport } from '../ports/coordinator.js';
import type { Situation } from '../situation.js';
import type { Worker } from '../workers/worker.js';
import { acceptsChange } from './suspension.js';

/** States in which a process can enter the next generation. */
const able: ReadonlySet<string> = new Set(['ready', 'waiting', 'joining', 'training', 'finishing', 'suspended']);

/**
 * A new generation begins when its Pods change, when the current one has lost a process or its progress, or when the
 * coordinator has forgotten it.
 */
export function generation(situation: Situation): CoordinatorAct | undefined {
  if (!acceptsChange(situation)) return undefined;
  const { spec, report } = situation;
  const members = nextMembers(situation);
  if (!members || !report || isPauseUnknown(situation)) return undefined;
  const restoreBefore = restoreStep(situation);
  const isChanged = JSON.stringify(members) !== JSON.stringify(membersIn(situation).map(identityOf));
  const isLost = report.generation < Math.max(1, situation.memory.generation) || isForgotten(situation);
  const isBroken = hasLeft(situation) || isDeadlocked(situation) || isPoisoned(situation);
  if (!isChanged && !isLost && !isBroken && !mustGiveUp(situation)) return undefined;
  return {
    act: 'begin',
    generation: generationIn(situation) + 1,
    members,
    processes: spec.processesPerWorker,
    planned: !isBroken && restoreBefore === undefined && areWell(situation),
    ...(restoreBefore !== undefined && { restoreBefore }),
  };
}

const identityOf = ({ worker, uid }: Member): Member => ({ worker, uid });

/**
 * The Pods of the next generation, in the order of their ranks. Members keep their places. One that is not ready gives its
 * place to a Pod that is. With checkpoints, the Pod with the index 0 has the first rank whenever it is ready: often no other
 * Pod mounts the volume. Undefined while a place has none, unless the job may go on with fewer: then the ranks move up.
 * Undefined too while none of them has the state.
 */
export function nextMembers(situation: Situation): readonly Member[] | undefined {
  const { spec } = situation;
  const wanted = wantedWorkers(situation);
  const surplus = surplusIn(situation);
  const running = currentIn(situation).filter((one) => isRunning(one) && !surplus.includes(one));
  const ready = running.filter((one) => isReady(one, situation)).toSorted((a, b) => a.index - b.index);
  const writer = spec.checkpoint && ready.find(({ index }) => index === 0);
  const before = membersIn(situation).slice(0, wanted);
  const kept = Array.from({ length: wanted }, (_, place) => {
    if (place === 0 && writer) return writer;
    const member = before[place];
    return member && ready.find((one) => one.uid === member.uid && one !== writer);
  });
  const others = ready.filter((one) => !kept.includes(one));
  const places = kept.map((one) => one ?? others.shift());
  const next = places.filter((one) => one !== undefined);
  const canBegin = isEnough(next, situation) && haveState(next, situation);
  return canBegin ? next.map(({ name, uid }) => ({ worker: name, uid })) : undefined;
}

/**
 * True if one of these Pods has the state that the job goes on from: it mounts the checkpoints, or is a member that has
 * trained. Spares alone would begin at the first step, and what they do then would count as newer than every checkpoint.
 */
function haveState(next: readonly Worker[], situation: Situation): boolean {
  const { spec, sharesVolume = false } = situation;
  if (!spec.checkpoint || sharesVolume || next.some(({ index }) => index === 0)) return true;
  // What is in memory does not count for a rollback.
  if (restoreStep(situation) !== undefined) return false;
  const hasTrained = (one: Worker) => ranksOf(one, situation).some((rank) => stepsDone(rank) !== undefined);
  return next.some((one) => membersIn(situation).some(({ uid }) => uid === one.uid) && hasTrained(one));
}

function isRunning({ phase, isNodeLost }: Worker): boolean {
  return phase === 'Running' && !isNodeLost;
}

function isReady(worker: Worker, situation: Situation): boolean {
  const ranks = ranksOf(worker, situation);
  const limit = secondsOf(situation.spec.health.stalledAfter);
  const { processesPerWorker } = situation.spec;
  return ranks.length === processesPerWorker && ranks.every(({ state, age }) => able.has(state) && age < limit);
}

/** True if a process has left the current generation. One that has not heard of it yet is behind. */
function hasLeft(situation: Situation): boolean {
  return memberRanks(situation).some(({ state, behind }) => (state === 'waiting' || state === 'suspended') && !behind);
}

/**
 * True if every member trains and can reach the end of its step. What a lost Pod said last still says that it trains: its
 * peers would wait for it. One that is no longer desired trains on until the change.
 */
function areWell(situation: Situation): boolean {
  const ranks = memberRanks(situation);
  const isWell = (one: Worker) =>
    isRunning(one) && !one.isEnding && !isCondemned(one, situation.memory) && isReady(one, situation);
  const well = new Set(situation.workers.filter(isWell).map(({ uid }) => uid));
  const areThere = membersIn(situation).every(({ uid }) => well.has(uid));
  return areThere && ranks.length > 0 && ranks.every(({ state, behind }) => state === 'training' && !behind);
}

/**
 * True if a coordinator that was started again has heard of the current generation from ranks in it alone, and others are yet
 * to enter it: it cannot tell them who the members are.
 */
function isForgotten(situation: Situation): boolean {
  return situation.report?.members.length === 0 && memberRanks(situation).some(({ behind }) => behind);
}

/** True if no rank makes progress, by heartbeats or by the logs, and nobody is to blame. */
function isDeadlocked(situation: Situation): boolean {
  const generation = generationIn(situation);
  const ids = [`deadlock-${generation}`, logFaultOf(generation)];
  return situation.memory.faults.some(({ id }) => ids.includes(id));
}

/** True if a rank trains with a loss that is not finite. */
function isPoisoned(situation: Situation): boolean {
  const generation = generationIn(situation);
  const isIn = (rank: RankReport) => rank.generation === generation && isPastJoin(rank);
  const mayRoll = situation.spec.health.nonFiniteLoss === 'Rollback';
  return mayRoll && memberRanks(situation).some((rank) => isIn(rank) && rank.firstNonFinite !== undefined);
}

/** True for a loss whose fault is not written down yet, if its restart must wait then. */
function isPauseUnknown(situation: Situation): boolean {
  const { memory, spec } = situation;
  if (!isPoisoned(situation) || pauseAfter((memory.spikes ?? 0) + 1, spec) === 0) return false;
  return !memory.faults.some(({ id }) => id.startsWith(lossFaultsOf(generationIn(situation))));
}

/**
 * The step before which all ranks load a checkpoint. Undefined if no loss was not finite, or if a rank trains after it has
 * loaded one. Until then, each further generation repeats it.
 */
function restoreStep(situation: Situation): number | undefined {
  if (situation.spec.health.nonFiniteLoss !== 'Rollback') return undefined;
  const generation = generationIn(situation);
  const ranks = memberRanks(situation);
  const current = ranks.filter((rank) => rank.generation === generation && isPastJoin(rank));
  const isRestored = current.length > 0 && !isPoisoned(situation);
  const steps = (isPoisoned(situation) ? current : ranks).flatMap(({ firstNonFinite }) => firstNonFinite ?? []);
  return isRestored || steps.length === 0 ? undefined : Math.min(...steps);
}
