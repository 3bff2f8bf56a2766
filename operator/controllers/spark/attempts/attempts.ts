import type { SparkJobStatusEnded } from '../../../../imports/index.js';
import { sparkDriverName, sparkRevision } from '../../../../src/index.js';
import type { Fault } from '../../../retry/index.js';
import { noFailures } from '../../../retry/index.js';
import { timestampOf, truncate } from '../../../runtime/index.js';
import type { Job } from '../job/job.js';
import type { Memory } from '../job/memory.js';

/** Attempts in the status. */
const endedKept = 10;
/** Bytes of a message in the status. */
export const longestMessage = 1_000;
/** Reasons that are counted. Others count as `Other`. */
const reasonsKept = 31;

/** What belongs to one attempt, and is forgotten with it. */
const ofAttempt = {
  ...{ driver: undefined, nextAttemptTime: undefined, stopping: undefined, idleTime: undefined },
  ...{ contextTime: undefined, contextEndTime: undefined },
  ...{ executorsKilled: 0, executorKilledTime: undefined },
} as const;

/** Begins the next run with its first attempt, and no failures. */
export function begun(memory: Memory, { spec, generation }: Pick<Job, 'spec' | 'generation'>): Memory {
  return {
    ...{ ...memory, ...ofAttempt },
    ...{ run: memory.run + 1, attempt: 1, generation, revision: sparkRevision(spec), retries: noFailures },
    ...{ startTime: undefined, exitCode: undefined },
  };
}

/** No attempt is to run until the job is resumed. */
export function paused(memory: Memory): Memory {
  return { ...memory, ...ofAttempt, attempt: 0 };
}

/** The next attempt of the run. @param at milliseconds since 1970: when it may start */
export function advanced(memory: Memory, attempt: number, at: number): Memory {
  return { ...memory, ...ofAttempt, attempt, nextAttemptTime: at };
}

/** Keeps an attempt that has failed, and counts its failure. */
export function withFailed(memory: Memory, name: string, fault: Fault): Memory {
  const kept = withEntry(memory, name, fault.at, failureFields(fault));
  return { ...kept, failureCounts: counted(memory.failureCounts, fault.reason ?? 'Error') };
}

/** Keeps an attempt that has succeeded. @param exitCode undefined if the kubelet does not say */
export function withSuccess(memory: Memory, name: string, at: number, exitCode: number | undefined): Memory {
  return withEntry(memory, name, at, exitCode === undefined ? {} : { exitCode });
}

/** Keeps an attempt that the operator has stopped. */
export function withStopped(memory: Memory, name: string, at: number): Memory {
  const { reason, message } = memory.stopping ?? {};
  return withEntry(memory, name, at, { ...(reason && { reason }), ...(message !== undefined && { message }) });
}

function withEntry(memory: Memory, name: string, at: number, fields: Partial<SparkJobStatusEnded>): Memory {
  const { run, attempt, driver, ended } = memory;
  const entry: SparkJobStatusEnded = {
    ...{ run, attempt, pod: driver?.pod ?? sparkDriverName(name, { run, attempt }) },
    ...(driver?.node !== undefined && { node: driver.node }),
    ...(driver?.startTime !== undefined && { startTime: timestampOf(driver.startTime) }),
    endTime: timestampOf(at),
    ...fields,
  };
  return { ...memory, ended: [entry, ...ended].slice(0, endedKept) };
}

function failureFields({ exitCode, reason, message, budget }: Fault) {
  return {
    ...(exitCode !== undefined && { exitCode }),
    ...(reason !== undefined && { reason: reason.slice(0, 63) }),
    ...(message !== undefined && { message: truncate(message, longestMessage) }),
    budget,
  };
}

function counted(counts: Memory['failureCounts'], reason: string): Memory['failureCounts'] {
  const isNew = !Object.hasOwn(counts, reason) && Object.keys(counts).length >= reasonsKept;
  const key = isNew ? 'Other' : reason.slice(0, 63);
  return { ...counts, [key]: (Object.hasOwn(counts, key) ? (counts[key] ?? 0) : 0) + 1 };
}
