import type { SparkJobResource, SparkJobStatusEnded } from '../../../imports/index.js';
import { relativeTime, type Shown, type Table } from '../../runtime/index.js';

type Row = Table['rows'][number];

/** Characters of a message. */
const shownMessage = 100;

/** The job, its driver, and the attempts that have ended. */
export function statusTables({ resource, now }: Shown<SparkJobResource>): readonly Table[] {
  const { ended = [] } = resource.status ?? {};
  return [{ rows: [summary(resource, now)] }, { rows: ended.map((attempt) => attemptRow(attempt, now)) }];
}

function summary({ status }: SparkJobResource, now: number): Row {
  const { state, attempts, executors, driver, retries, nextAttemptTime, duration } = status ?? {};
  const used = Object.entries(retries?.used ?? {}).map(([budget, count]) => `${count} ${budget}`);
  return {
    STATE: state,
    ATTEMPT: attempts,
    EXECUTORS: executors,
    DRIVER: driver?.pod,
    NODE: driver?.node,
    RETRIES: used.length === 0 ? undefined : used.join(', '),
    'NEXT ATTEMPT': nextAttemptTime === undefined ? undefined : relativeTime(nextAttemptTime, now),
    DURATION: duration,
  };
}

function attemptRow({ pod, endTime, exitCode, reason, budget, message }: SparkJobStatusEnded, now: number): Row {
  return {
    ENDED: endTime === undefined ? undefined : relativeTime(endTime, now),
    POD: pod,
    EXIT: exitCode,
    REASON: reason,
    BUDGET: budget,
    MESSAGE: message?.slice(0, shownMessage),
  };
}
