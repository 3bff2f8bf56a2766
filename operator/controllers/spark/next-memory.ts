import { type Fault, verdictOn } from '../../retry/index.js';
import { advanced, begun, paused, withFailed, withStopped, withSuccess } from './attempts/attempts.js';
import {
  driverRemedy,
  endTimeOf,
  executorsKilled,
  faultOf,
  faultOfGone,
  faultOfRefusal,
  faultOfStop,
  policyOf,
} from './attempts/faults.js';
import { deadlineText, isEdited, limitsOf, stopOf } from './attempts/stops.js';
import { currentDriver, currentExecutors, isOnLostNode, type Job } from './job/job.js';
import type { End, Memory, StopReason } from './job/memory.js';
import type { Driver, DriverEnd } from './pods/driver.js';

/**
 * What the operator remembers after this reconcile. It is written before anything follows from it: an attempt counts once, and
 * its driver starts after it was counted, whenever the operator is killed.
 */
export function nextMemory(situation: Job): Memory {
  const { memory, spec, isAccepted = true } = situation;
  if (memory.end) return memory;
  const seen = withSeen(memory, situation);
  if (seen.attempt === 0) return spec.suspend || !isAccepted ? seen : begun(seen, situation);
  const driver = currentDriver(situation);
  if (driver?.end) return afterEnd(driver, driver.end, seen, situation);
  if (driver) return seen.stopping ? seen : { ...seen, stopping: stopOf(seen, situation) };
  return seen.driver ? afterGone(seen, situation) : beforeDriver(seen, situation);
}

/** Adds what is seen of the attempt. */
function withSeen(memory: Memory, situation: Job): Memory {
  const { generation, now } = situation;
  const driver = currentDriver(situation);
  const executors = currentExecutors(situation);
  const version = executors.find((one) => one.version !== undefined)?.version;
  const known = driver && {
    ...{ pod: driver.name, uid: driver.uid, node: driver.node ?? memory.driver?.node },
    startTime: driver.started ?? memory.driver?.startTime,
  };
  // A node that does not answer reports nothing.
  const isKnown = driver !== undefined && !isOnLostNode(driver, situation);
  const isListening = driver?.isListening ?? false;
  const hasContext = memory.contextTime !== undefined || isListening || executors.length > 0;
  // Before the first report of the kubelet, and with another port, executors run.
  const areOver = executors.every(({ mayRun }) => !mayRun);
  const hasStopped = hasContext && isKnown && driver.end === undefined && !isListening && areOver;
  const isIdle =
    isKnown && hasContext && !hasStopped && wantsExecutors(situation) && !executors.some(({ isRunning }) => isRunning);
  const killed = executorsKilled(situation);
  return {
    ...memory,
    generation: isEdited(situation) ? memory.generation : memory.run === 0 ? 0 : generation,
    driver: known ?? memory.driver,
    // It has begun.
    nextAttemptTime: known ? undefined : memory.nextAttemptTime,
    startTime: memory.startTime ?? driver?.started,
    contextTime: memory.contextTime ?? (hasContext ? now : undefined),
    contextEndTime: hasStopped ? (memory.contextEndTime ?? now) : undefined,
    idleTime: isIdle ? (memory.idleTime ?? now) : undefined,
    executorsKilled: killed,
    executorKilledTime: killed > memory.executorsKilled ? now : memory.executorKilledTime,
    version: version ?? memory.version,
  };
}

/** With an own lower limit of 0, the driver may want no executor for any time. */
function wantsExecutors({ spec: { executors } }: Job): boolean {
  return (executors.dynamic?.min ?? 1) > 0;
}

/** A driver has ended: its program is certainly over. */
function afterEnd(driver: Driver, end: DriverEnd, memory: Memory, situation: Job): Memory {
  const at = endTimeOf(end, situation);
  const coded = { ...memory, exitCode: end.exitCode };
  const isReplaced = memory.stopping?.reason === 'Edited';
  if (end.hasSucceeded && !isReplaced)
    return ended(withSuccess(coded, situation.name, at, end.exitCode), { time: at, reason: 'Succeeded' });
  // A driver that ended by itself just before it was stopped has a cause of its own.
  const isOwnEnd = !driver.isEnding && isFailure(memory.stopping?.reason);
  if (memory.stopping && !isOwnEnd) return afterStop(coded, situation);
  return afterFault(faultOf(end, memory, situation), coded, situation);
}

/** Whether a stop is a failure of the attempt, and not a wish of a person. */
function isFailure(reason: StopReason | undefined): boolean {
  return reason === 'DriverNotStarted' || reason === 'ExecutorsNotStarted' || reason === 'DriverDidNotExit';
}

function afterGone(memory: Memory, situation: Job): Memory {
  return memory.stopping ? afterStop(memory, situation) : afterFault(faultOfGone(memory, situation), memory, situation);
}

/** The driver that the operator has stopped is certainly over. */
function afterStop(memory: Memory, situation: Job): Memory {
  const { name, now } = situation;
  const { stopping } = memory;
  if (!stopping) return memory;
  const past = withStopped(memory, name, now);
  switch (stopping.reason) {
    case 'Edited':
      return begun(past, situation);
    case 'Suspended':
      return paused(past);
    case 'DeadlineExceeded':
      return ended(past, { time: now, reason: 'DeadlineExceeded', message: stopping.message });
    default:
      return afterFault(faultOfStop(stopping, memory), memory, situation);
  }
}

/** No driver of the attempt exists, and none was seen. */
function beforeDriver(memory: Memory, situation: Job): Memory {
  const { spec, now, blocker } = situation;
  if (spec.suspend) return paused(memory);
  if (isEdited(situation)) return begun(memory, situation);
  const { deadline } = limitsOf(memory, situation);
  if (deadline !== undefined && now >= deadline) {
    return ended(memory, { time: now, reason: 'DeadlineExceeded', message: deadlineText(spec) });
  }
  const isDue = now >= (memory.nextAttemptTime ?? 0);
  // Only the driver may be rejected, so that all other rejections fail the reconcile.
  if (!isDue || !blocker?.includes(driverRemedy)) return memory;
  return afterFault(faultOfRefusal(blocker, memory, situation), memory, situation);
}

function afterFault(fault: Fault, memory: Memory, situation: Job): Memory {
  const { name, uid } = situation;
  const verdict = verdictOn(fault, { policy: policyOf(situation), record: memory.retries, uid });
  // It was counted before, so its number is used up.
  if (!verdict) return advanced(memory, memory.retries.counted + 1, situation.now);
  const past = withFailed(memory, name, { ...fault, budget: verdict.budget });
  // What was edited meanwhile has not failed.
  if (isEdited(situation)) return begun(past, situation);
  const counted = { ...past, retries: verdict.record, lastVerdict: verdict.message };
  if (verdict.is === 'Retry') return advanced(counted, verdict.attempt, verdict.at);
  const isUnknown = fault.reason === 'DriverDidNotExit' && verdict.why === 'RuleFails';
  const reason = isUnknown ? ('DriverDidNotExit' as const) : verdict.why;
  const message = isUnknown ? fault.message : verdict.message;
  return ended(counted, { time: situation.now, reason, message });
}

function ended(memory: Memory, end: End): Memory {
  return { ...memory, stopping: undefined, nextAttemptTime: undefined, end };
}
