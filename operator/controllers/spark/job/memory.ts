import type { SparkJobResource, SparkJobStatusEnded, SparkJobStatusStopping } from '../../../../imports/index.js';
import { noFailures, type RetryRecord } from '../../../retry/index.js';
import { millisecondsOf } from '../../../runtime/index.js';

/** Why the operator stops a driver. */
export type StopReason = SparkJobStatusStopping['reason'];

/** What the operator remembers of a job in its status. Times are in milliseconds since 1970. */
export interface Memory {
  /** 0 before the first run. */
  readonly run: number;
  /** 0 while no attempt is to run. */
  readonly attempt: number;
  /** `metadata.generation` that the revision was compared with. */
  readonly generation: number;
  /** Hash of the fields that the run began with. */
  readonly revision: string;
  /** The driver of the attempt, once its Pod was seen. */
  readonly driver?: KnownDriver | undefined;
  readonly nextAttemptTime?: number | undefined;
  readonly retries: RetryRecord;
  /** What followed from the last failure, for people. Not in the status itself. */
  readonly lastVerdict?: string | undefined;
  /** It is written before the driver is stopped. */
  readonly stopping?: Stop | undefined;
  /** When the attempt created its SparkContext, and when it was seen to be stopped. */
  readonly contextTime?: number | undefined;
  readonly contextEndTime?: number | undefined;
  /** Since when no executor runs although the driver wants some. */
  readonly idleTime?: number | undefined;
  /** Executors of the attempt that exceeded their memory, and when the last one was seen. */
  readonly executorsKilled: number;
  readonly executorKilledTime?: number | undefined;
  /** Attempts that have ended, the newest first. */
  readonly ended: readonly SparkJobStatusEnded[];
  /** Failures by reason. */
  readonly failureCounts: Readonly<Record<string, number>>;
  /** When the first driver of the run started. */
  readonly startTime?: number | undefined;
  readonly exitCode?: number | undefined;
  /** The release of Spark that executors report. */
  readonly version?: string | undefined;
  readonly end?: End | undefined;
}

/** A driver whose Pod exists, or has existed. */
export interface KnownDriver {
  readonly pod: string;
  readonly uid: string;
  readonly node?: string | undefined;
  readonly startTime?: number | undefined;
}

/** A decision to stop the driver. */
export interface Stop {
  readonly reason: StopReason;
  readonly message?: string | undefined;
  readonly time: number;
}

/** How a job ended. */
export interface End {
  readonly time: number;
  readonly reason: 'Succeeded' | 'RuleFails' | 'BudgetSpent' | 'DeadlineExceeded' | 'DriverDidNotExit';
  readonly message?: string | undefined;
}

/** What the status keeps. */
export function memoryOf({ status = {} as never }: Pick<SparkJobResource, 'status'>): Memory {
  const { driver, retries, stopping, completionTime } = status;
  const ended = millisecondsOf(completionTime);
  return {
    ...{ run: status.run ?? 0, attempt: status.attempt ?? 0 },
    ...{ generation: status.runGeneration ?? 0, revision: status.revision ?? '' },
    driver: driver && {
      ...{ pod: driver.pod, uid: driver.uid, node: driver.node },
      startTime: millisecondsOf(driver.startTime),
    },
    nextAttemptTime: millisecondsOf(status.nextAttemptTime),
    retries: retries ?? noFailures,
    stopping: stopping && { ...stopping, time: millisecondsOf(stopping.time) ?? 0 },
    contextTime: millisecondsOf(status.contextTime),
    contextEndTime: millisecondsOf(status.contextEndTime),
    idleTime: millisecondsOf(status.idleTime),
    executorsKilled: status.executorsKilled ?? 0,
    executorKilledTime: millisecondsOf(status.executorKilledTime),
    ended: status.ended ?? [],
    failureCounts: Object.fromEntries((status.failureCounts ?? []).map(({ reason, count }) => [reason, count])),
    startTime: millisecondsOf(status.startTime),
    exitCode: status.exitCode,
    version: status.version,
    // The conditions keep the reason of a failure.
    end:
      ended === undefined
        ? undefined
        : { time: ended, reason: status.state === 'Succeeded' ? 'Succeeded' : 'BudgetSpent' },
  };
}
