import { secondsOf } from '../../../crds/index.js';
import { timestampOf } from '../../runtime/index.js';
import { lastWordsDue } from './deadlines.js';
import { newFaults } from './faults/faults.js';
import type { NewFault } from './faults/new-fault.js';
import { backoffAfter } from './faults/spikes.js';
import { slowSince } from './faults/stragglers.js';
import { displacementOf } from './gang/elastic.js';
import { mustGiveBack } from './gang/give-back.js';
import { isPaused, mustYield } from './gang/quota.js';
import { currentIn, isBackingOff, isInPlace, isStopping, placesIn } from './job/job.js';
import { type End, evicted, type Fault, isOpen, type Memory } from './job/memory.js';
import { generationIn, isFinishing, isPastSteps, memberRanks, membersIn } from './job/ranks.js';
import { scheduling } from './job/starts.js';
import { isTraining } from './progress/phase.js';
import type { Situation } from './situation.js';

/** Number of faults in the status. */
const faultsKept = 20;

/**
 * What the operator remembers after this reconcile. It is written before anything follows from it: a fault counts once, and
 * its Pod is replaced after it was counted, whenever the operator is killed.
 */
export function nextMemory(situation: Situation): Memory {
  const { memory } = situation;
  if (memory.end) return memory;
  const found = newFaults(situation);
  const seen = { ...withGeneration(windowed(memory, situation), situation), slowSince: slowSince(situation) };
  const counted = withFaults(withRecoveries(seen, situation), found, situation);
  const timed = withTimes(counted, situation);
  const end = timed.end ?? endOf(situation, timed);
  if (end) return { ...timed, end };
  // A fault may have ended this start already.
  const isToEnd = timed.incarnation === memory.incarnation && mustGiveBack(situation);
  if (isToEnd) return restarted({ ...timed, openedTime: undefined });
  const isToYield = timed.incarnation === memory.incarnation && mustYield({ ...situation, memory: timed });
  // No generation can have begun without all Pods.
  return isToYield
    ? { ...timed, incarnation: timed.incarnation + 1, openedTime: undefined, refusedTime: situation.now }
    : timed;
}

/** A window without faults resets the counts. */
function windowed(memory: Memory, { spec, now }: Situation): Memory {
  const { windowStart } = memory;
  if (windowStart === undefined || now - windowStart <= 1_000 * secondsOf(spec.restarts.window)) return memory;
  return { ...memory, partial: 0, full: 0, spikes: 0, windowStart: undefined };
}

function withGeneration(memory: Memory, situation: Situation): Memory {
  const generation = generationIn(situation);
  const members = membersIn(situation);
  const startTime = memory.startTime ?? (hasStarted(situation) ? situation.now : undefined);
  if (generation === memory.generation) return { ...memory, members, startTime, generationTime: sinceWhen(situation) };
  return { ...memory, generation, members, startTime, generationTime: situation.now };
}

/** With `recovery: Restart`, the operator does not know generations: the job starts when all its Pods run. */
function hasStarted(situation: Situation): boolean {
  if (isInPlace(situation)) return generationIn(situation) > 0;
  const running = currentIn(situation).filter(({ phase }) => phase !== 'Pending');
  return running.length === placesIn(situation);
}

/** Since when a generation has members, or could have them because all Pods run. With `recovery: Restart`, since all ran. */
function sinceWhen(situation: Situation): number | undefined {
  const { memory, spec, now } = situation;
  if (!isInPlace(situation)) return memory.generationTime ?? (hasStarted(situation) ? now : undefined);
  if (membersIn(situation).length > 0) return memory.generationTime;
  const running = currentIn(situation).filter(({ phase }) => phase === 'Running');
  return running.length >= spec.workers ? (memory.generationTime ?? now) : undefined;
}

function withFaults(memory: Memory, found: readonly NewFault[], situation: Situation): Memory {
  if (found.length === 0) return memory;
  const { now, spec } = situation;
  const time = timestampOf(now);
  const rendezvous = generationIn(situation);
  const fresh = found.map((fault) => ({ ...fault, time, rendezvous }));
  const all = [...fresh, ...memory.faults];
  const faults = kept(all, situation);
  const total = memory.total + found.length;
  const counts = { ...memory.counts };
  for (const { kind } of found) counts[kind] = (counts[kind] ?? 0) + 1;
  const counted = {
    ...{ ...memory, faults, total, counts, windowStart: memory.windowStart ?? now },
    ...backoffAfter(found, memory, situation),
  };
  const failed = lossEnd(found, memory, situation);
  if (failed) return { ...counted, end: failed };
  // All Pods are replaced once, however many of them failed.
  const own = found.filter(({ kind }) => kind !== evicted).length;
  if (!isInPlace(situation))
    return own === 0 ? restarted(counted) : restartedWithin({ ...counted, partial: memory.partial + 1 }, situation);
  const partial = memory.partial + own;
  const isTooMany = all.some((fault) => !faults.includes(fault) && isFoundAgain(fault, memory, situation));
  const isFull = partial > spec.restarts.perWindow || found.some(({ grade }) => grade === 'Job') || isTooMany;
  if (isFull) return fullRestart({ ...counted, partial }, situation);
  // Ranks that are done take part in no repair. With new Pods, all do the rest from the last checkpoint.
  return isFinishing(situation) ? restarted({ ...counted, partial }) : { ...counted, partial };
}

/** True for a fault that counts again if it is forgotten: its cause is still there. A launcher reports an end only once. */
function isFoundAgain(fault: Fault, { members }: Memory, { workers }: Situation): boolean {
  const isReported = fault.id.startsWith('exit-');
  return isOpen(fault) && !isReported && [...members, ...workers].some(({ uid }) => uid === fault.uid);
}

/**
 * A fault is over when all ranks train in a later generation. That of a spare changes no generation, and one that was reported
 * late, or went by itself, is followed by further steps.
 */
function withRecoveries(memory: Memory, situation: Situation): Memory {
  const generation = generationIn(situation);
  const members = membersIn(situation).map(({ uid }) => uid);
  const step = Math.min(...memberRanks(situation).map((rank) => rank.step));
  const isOver = (fault: Fault) => {
    const { rendezvous = 0, uid, grade } = fault;
    const isOfSpare = uid !== undefined && !members.includes(uid);
    const isPast = grade === 'Process' && fault.step !== undefined && step > fault.step;
    return isOpen(fault) && (rendezvous < generation || isOfSpare || isPast);
  };
  if (!memory.faults.some(isOver) || !isTraining(situation)) return memory;
  const secondsSince = (time: string) => Math.max(0, Math.round((situation.now - Date.parse(time)) / 1_000));
  const faults = memory.faults.map((fault) =>
    isOver(fault) ? { ...fault, recoverySeconds: secondsSince(fault.time) } : fault,
  );
  return { ...memory, faults };
}

/** The newest faults, and those that the coordinator still reports: one that is forgotten would count again. */
function kept(faults: readonly Fault[], { report }: Situation): readonly Fault[] {
  const reported = new Set(report?.faults.map(({ id }) => `exit-${id}`));
  const others = faults.filter(({ id }) => !reported.has(id));
  const newest = new Set(others.slice(0, Math.max(0, faultsKept - (faults.length - others.length))));
  return faults.filter((fault) => reported.has(fault.id) || newest.has(fault)).slice(0, faultsKept);
}

function restartedWithin(memory: Memory, { spec, now }: Situation): Memory {
  if (memory.partial > spec.restarts.perWindow) return { ...memory, end: exhausted(memory, spec.restarts, now) };
  return restarted(memory);
}

function fullRestart(memory: Memory, { spec, now }: Situation): Memory {
  if (memory.full >= spec.restarts.fullPerWindow) return { ...memory, end: exhausted(memory, spec.restarts, now) };
  return restarted({ ...memory, partial: 0, full: memory.full + 1 });
}

/** All Pods are replaced, and no generation has members until they run. */
function restarted(memory: Memory): Memory {
  return { ...withoutMembers(memory), incarnation: memory.incarnation + 1 };
}

/** Pods that are left of a stop have lost others, and with `recovery: Restart` cannot go on. */
function stopped(memory: Memory, situation: Situation): Memory {
  return isInPlace(situation) ? withoutMembers(memory) : restarted(memory);
}

/** One more generation may have begun, of which no answer has told yet. Its number is used up, and its members are not. */
function withoutMembers(memory: Memory): Memory {
  return { ...memory, generation: memory.generation + 1, members: [], generationTime: undefined };
}

function exhausted(
  { faults }: Memory,
  { perWindow, fullPerWindow, window }: Situation['spec']['restarts'],
  now: number,
): End {
  const last = faults[0]?.message ?? '';
  const message = `The job had more faults in ${window} than restarts.perWindow (${perWindow}) and restarts.fullPerWindow (${fullPerWindow}) allow; the last one: ${last}`;
  return { time: now, reason: 'RestartsExhausted', message };
}

/** A loss that is not finite twice at the same step would be a loop. */
function lossEnd(found: readonly NewFault[], { faults }: Memory, { spec, now }: Situation): End | undefined {
  const loss = found.find(({ kind }) => kind === 'NonFiniteLoss');
  if (!loss) return undefined;
  const isAgain = faults.some(({ kind, step }) => kind === 'NonFiniteLoss' && step === loss.step);
  if (spec.health.nonFiniteLoss !== 'Fail' && !isAgain) return undefined;
  const again = isAgain ? ' again, after the job loaded an earlier checkpoint' : '';
  return { time: now, reason: 'LossNotFinite', message: `The loss of step ${loss.step} is not finite${again}` };
}

function withTimes(memory: Memory, situation: Situation): Memory {
  const { now } = situation;
  const isOpening = scheduling(situation).length > 0;
  const isNowStopping = isStopping(situation);
  // Pods that were stopped begin a generation with others, or again.
  const hasStopped = !isNowStopping && memory.stoppingTime !== undefined;
  const isStopped = isNowStopping && situation.workers.length === 0;
  return {
    ...(hasStopped ? stopped(memory, situation) : memory),
    openedTime: isOpening ? (memory.openedTime ?? now) : undefined,
    stoppingTime: isNowStopping ? (memory.stoppingTime ?? now) : undefined,
    ...displacementOf(situation),
    refusedTime: isPaused(memory, now) ? memory.refusedTime : undefined,
    backoffUntil: isBackingOff({ memory, now }) ? memory.backoffUntil : undefined,
    ...(isStopped && { members: [], generationTime: undefined }),
  };
}

function endOf(situation: Situation, { startTime }: Memory): End | undefined {
  const { spec, now } = situation;
  if (hasSucceeded(situation)) return { time: now, reason: 'Succeeded' };
  if (spec.activeDeadline === undefined || startTime === undefined) return undefined;
  if (now - startTime < 1_000 * secondsOf(spec.activeDeadline)) return undefined;
  return {
    time: now,
    reason: 'DeadlineExceeded',
    message: `The job ran longer than activeDeadline, ${spec.activeDeadline}`,
  };
}

/** True if every rank has exited with 0. One that exits early is no success. */
function hasSucceeded(situation: Situation): boolean {
  const { spec } = situation;
  const current = currentIn(situation);
  const succeeded = (uid: string) => current.some((one) => one.uid === uid && one.phase === 'Succeeded');
  if (!isInPlace(situation)) {
    return current.filter(({ phase }) => phase === 'Succeeded').length === spec.workers;
  }
  const members = membersIn(situation);
  const ranks = memberRanks(situation);
  const isUseless = spec.health.nonFiniteLoss !== 'Ignore' && ranks.some((rank) => rank.firstNonFinite !== undefined);
  if (isUseless) return false;
  const areDone =
    ranks.length === members.length * spec.processesPerWorker && ranks.every(({ state }) => state === 'done');
  const haveEnded = members.every(({ uid }) => succeeded(uid));
  return members.length > 0 && (areDone || (haveEnded && !mayTellMore(situation)));
}

/**
 * True while the coordinator can still tell how far the ranks came, and whether a loss was not finite: it is asked every two
 * seconds, and the kubelet can be faster.
 */
function mayTellMore(situation: Situation): boolean {
  const { report, now } = situation;
  if (now >= lastWordsDue(situation)) return false;
  return report === undefined || !memberRanks(situation).every(isPastSteps);
}
