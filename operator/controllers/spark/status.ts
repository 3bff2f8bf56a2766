import type { SparkJobStatus } from '../../../imports/index.js';
import { wantedSparkExecutors } from '../../../src/index.js';
import { lengthOf, timestampOf } from '../../runtime/index.js';
import { policyOf } from './attempts/faults.js';
import { currentDriver, currentExecutors, type Job } from './job/job.js';
import type { Memory } from './job/memory.js';

/** The status of a job after a reconcile. @param memory after it */
export function statusOf(situation: Job, memory: Memory) {
  const { driver, retries, stopping, exitCode, version, executorsKilled } = memory;
  const counts = Object.entries(memory.failureCounts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    state: stateOf(situation, memory),
    ...{ run: memory.run, attempt: memory.attempt, attempts: attemptsOf(situation, memory) },
    ...(memory.run > 0 && { revision: memory.revision, runGeneration: memory.generation }),
    ...(driver && { driver: driverStatus(driver) }),
    ...(!memory.end && { executors: `${runningExecutors(situation, memory)}/${wantedSparkExecutors(situation.spec)}` }),
    ...(executorsKilled > 0 && { executorsKilled }),
    retriesUsed: Object.values(retries.used).reduce((sum, one) => sum + one, 0),
    ...(retries.counted > 0 && { retries }),
    ...(stopping && { stopping: { ...stopping, time: timestampOf(stopping.time) } }),
    ...(memory.ended.length > 0 && { ended: memory.ended }),
    ...(counts.length > 0 && { failureCounts: counts.map(([reason, count]) => ({ reason, count })) }),
    ...timesOf(memory),
    ...durationOf(memory),
    ...(exitCode !== undefined && { exitCode }),
    ...(version !== undefined && { version }),
  };
}

/** The state in one word. */
function stateOf(situation: Job, memory: Memory): NonNullable<SparkJobStatus['state']> {
  if (memory.end) return memory.end.reason === 'Succeeded' ? 'Succeeded' : 'Failed';
  if (memory.stopping) return 'Stopping';
  if (memory.attempt === 0) return situation.spec.suspend ? 'Suspended' : 'Submitting';
  const driver = currentDriver({ ...situation, memory });
  if (driver?.started !== undefined) return 'Running';
  return (memory.nextAttemptTime ?? 0) > situation.now ? 'WaitingForRetry' : 'Submitting';
}

/** The last attempt if all further failures are those of the program. */
function attemptsOf(situation: Job, { attempt, retries }: Memory): string {
  const left = Math.max(0, (policyOf(situation).budgets['run'] ?? 0) - (retries.used['run'] ?? 0));
  return `${attempt}/${attempt + left}`;
}

function runningExecutors(situation: Job, memory: Memory): number {
  const current = currentExecutors({ ...situation, memory });
  return current.filter(({ isRunning }) => isRunning).length;
}

function driverStatus({ pod, uid, node, startTime }: NonNullable<Memory['driver']>) {
  return {
    ...{ pod, uid },
    ...(node !== undefined && { node }),
    ...(startTime !== undefined && { startTime: timestampOf(startTime) }),
  };
}

function timesOf(memory: Memory) {
  const { nextAttemptTime, contextTime, contextEndTime, idleTime, startTime, end } = memory;
  const time = (name: string, at: number | undefined) => (at === undefined ? {} : { [name]: timestampOf(at) });
  return {
    ...time('nextAttemptTime', nextAttemptTime),
    ...time('contextTime', contextTime),
    ...time('contextEndTime', contextEndTime),
    ...time('idleTime', idleTime),
    ...time('executorKilledTime', memory.executorKilledTime),
    ...time('startTime', startTime),
    ...time('completionTime', end?.time),
  };
}

function durationOf({ startTime, end }: Memory) {
  if (startTime === undefined || !end) return {};
  const length = Math.max(0, end.time - startTime);
  return { duration: lengthOf(length), durationSeconds: Math.round(length / 1_000) };
}
