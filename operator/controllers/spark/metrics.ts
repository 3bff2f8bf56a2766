import type { SparkJobResource } from '../../../imports/index.js';

/** The metrics of a SparkJob. */
export const metrics = {
  reconstruct_spark_attempt: {
    help: 'Number of the current or last attempt in the run.',
    valueFrom: ({ status }: SparkJobResource) => status?.attempt,
  },
  reconstruct_spark_retries: {
    help: 'Number of retries that were used in the run, by budget.',
    label: 'budget',
    valueFrom: ({ status }: SparkJobResource) => status?.retries?.used,
  },
  reconstruct_spark_failures: {
    help: 'Number of failed attempts since the job was created, by reason.',
    label: 'reason',
    valueFrom: ({ status }: SparkJobResource) =>
      Object.fromEntries((status?.failureCounts ?? []).map(({ reason, count }) => [reason, count])),
  },
  reconstruct_spark_executors: {
    help: 'Number of executors that run.',
    valueFrom: ({ status }: SparkJobResource) =>
      status?.executors === undefined ? undefined : Number(status.executors.split('/')[0]),
  },
  reconstruct_spark_start_time_seconds: {
    help: 'Time at which the first driver of the run started, in seconds since 1970.',
    valueFrom: ({ status }: SparkJobResource) =>
      status?.startTime === undefined ? undefined : Date.parse(status.startTime) / 1_000,
  },
  reconstruct_spark_duration_seconds: {
    help: 'Seconds from the start of the run to its end, of a job that has ended.',
    valueFrom: ({ status }: SparkJobResource) => status?.durationSeconds,
  },
};
