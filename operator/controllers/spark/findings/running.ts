import type { SparkJobResource } from '../../../../imports/index.js';
import { wantedSparkExecutors } from '../../../../src/index.js';
import { conditionOf } from '../../../runtime/index.js';
import { lastFailure } from '../attempts/faults.js';
import type { conditions, MarkOf } from '../conditions.js';
import { currentDriver, currentExecutors, isOnLostNode, type Job } from '../job/job.js';
import type { Memory } from '../job/memory.js';

/** Whether the job makes progress, and why it does not. @param memory after this reconcile */
export function runningOf(resource: SparkJobResource, situation: Job, memory: Memory): MarkOf<'Running'> {
  if (memory.end) return endMark(resource, memory);
  if (memory.stopping) {
    const { message } = memory.stopping;
    return message === undefined ? { reason: 'Stopping' } : { reason: 'Stopping', message };
  }
  if (memory.attempt === 0) return { reason: situation.spec.suspend ? 'Suspended' : 'NotStarted' };
  const driver = currentDriver({ ...situation, memory });
  if (!driver || driver.end !== undefined) return notStarted(resource, memory, situation);
  if (isOnLostNode(driver, situation)) {
    const message = `Node ${driver.node} of the driver does not answer; the next attempt starts when Pod ${driver.name} is gone`;
    return { reason: 'DriverUnknown', message };
  }
  if (driver.started === undefined) return notStarted(resource, memory, situation);
  if (memory.contextEndTime !== undefined) return { reason: 'ExitPending' };
  return mismatch(situation, memory) ?? starting(situation, memory) ?? { reason: 'Running' };
}

/** After a failure, the message stays until the next driver runs. */
function notStarted(resource: SparkJobResource, memory: Memory, situation: Job): MarkOf<'Running'> {
  if (memory.retries.failures === 0) return { reason: 'NotStarted' };
  const isNew = memory.retries.counted !== situation.memory.retries.counted;
  const before = conditionOf<typeof conditions>(resource, 'Running');
  if (!isNew && before?.reason === 'Retrying') return { reason: 'Retrying', message: before.message };
  return { reason: 'Retrying', message: memory.lastVerdict ?? 'An attempt has failed' };
}

function mismatch({ spec }: Job, { version }: Memory): MarkOf<'Running'> | undefined {
  if (version === undefined || version.startsWith(`${spec.version}.`)) return undefined;
  return { reason: 'VersionMismatch', message: `The executors run Spark ${version}, and version is ${spec.version}` };
}

function starting(situation: Job, { contextTime, idleTime }: Memory): MarkOf<'Running'> | undefined {
  if (contextTime === undefined || idleTime === undefined) return undefined;
  const pending = currentExecutors(situation).filter(({ phase }) => phase === 'Pending');
  const wanted = wantedSparkExecutors(situation.spec);
  const first = pending[0];
  const failure = lastFailure(situation);
  const trouble = first?.trouble === undefined ? '' : `: ${first.trouble}`;
  const why = first ? `Pod ${first.name} is Pending${trouble}` : (failure ?? 'the driver has created none');
  const message = `No executor of ${wanted} runs: ${why}`;
  return { reason: 'ExecutorsStarting', message };
}

/** The reason of a failure is in the condition since the job ended. */
function endMark({ status }: SparkJobResource, { end }: Memory): MarkOf<'Running'> {
  const before = conditionOf<typeof conditions>({ status }, 'Running');
  if (status?.completionTime !== undefined && before)
    return { reason: before.reason as MarkOf<'Running'>['reason'], message: before.message };
  const reason = end?.reason ?? 'BudgetSpent';
  return end?.message === undefined ? { reason } : { reason, message: end.message };
}
