import type { SparkJobResource, SparkJobStatusEnded } from '../../imports/index.js';
import type { Table } from '../../operator/runtime/controller/facts.js';
import { lengthOf, relativeTime } from '../../operator/runtime/kubernetes/relative-time.js';
import { oneLine, tableLines } from '../status/report-lines.js';
import { titleOf } from './resources.js';

type Row = Table['rows'][number];

/** Characters of a message. */
const shownMessage = 120;

/** The attempts of a job, the current one first. @param now milliseconds since 1970 */
export function attemptsView(job: SparkJobResource, now: number): readonly string[] {
  const { metadata, status } = job;
  const rows = [...currentRow(job, now), ...(status?.ended ?? []).map((attempt) => endedRow(attempt, now))];
  return rows.length === 0 ? [oneLine(`${titleOf(metadata)} has had no attempt yet`)] : tableLines({ rows });
}

/** The attempt that runs or waits. A job that has ended has none. */
function currentRow({ status }: SparkJobResource, now: number): readonly Row[] {
  const { state, run = 0, attempt = 0, driver, nextAttemptTime, stopping } = status ?? {};
  const isOver = status?.completionTime !== undefined;
  if (attempt === 0 || isOver) return [];
  const waits = nextAttemptTime !== undefined && Date.parse(nextAttemptTime) > now;
  return [
    {
      ...{ RUN: run, ATTEMPT: attempt, RESULT: state },
      ...{ STARTED: started(driver?.startTime, now), DURATION: undefined, EXIT: undefined, BUDGET: undefined },
      ...{ NODE: driver?.node, POD: driver?.pod },
      MESSAGE: stopping?.message ?? (waits ? `starts ${relativeTime(nextAttemptTime, now)}` : undefined),
    },
  ];
}

function endedRow(ended: SparkJobStatusEnded, now: number): Row {
  const { run, attempt, pod, node, startTime, endTime, exitCode, reason, budget, message } = ended;
  const isFailure = budget !== undefined;
  const ran =
    startTime === undefined || endTime === undefined ? undefined : Date.parse(endTime) - Date.parse(startTime);
  return {
    ...{
      RUN: run,
      ATTEMPT: attempt,
      RESULT: reason ?? (isFailure ? 'Error' : exitCode === 0 ? 'Succeeded' : 'Stopped'),
    },
    ...{ STARTED: started(startTime, now), DURATION: ran === undefined ? undefined : lengthOf(Math.max(0, ran)) },
    ...{ EXIT: exitCode, BUDGET: budget, NODE: node, POD: pod, MESSAGE: message?.slice(0, shownMessage) },
  };
}

const started = (time: string | undefined, now: number) => (time === undefined ? undefined : relativeTime(time, now));
