import type { DatabaseResource } from '../../../imports/index.js';

/** Metrics of each Database. */
export const metrics = {
  reconstruct_database_instances_ready: {
    help: 'Number of instances that are ready, including the primary.',
    valueFrom: ({ status }: DatabaseResource) => status?.readyReplicas,
  },
  reconstruct_database_instances_desired: {
    help: 'Number of instances in the spec.',
    valueFrom: ({ spec }: DatabaseResource) => spec.replicas,
  },
  reconstruct_database_has_primary: {
    help: '1 if a primary accepts writes, 0 if none does.',
    valueFrom: ({ status }: DatabaseResource) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Available' && is === 'True') ? 1 : 0,
  },
  reconstruct_database_timeline: {
    help: 'Timeline of the primary. Each change of the primary starts a new timeline.',
    valueFrom: ({ status }: DatabaseResource) => status?.timeline,
  },
  reconstruct_database_replication_lag_bytes: {
    help: 'Bytes of the write-ahead log that the most delayed replica has not received, in steps. 0 below 1 MiB.',
    valueFrom: ({ status }: DatabaseResource) => {
      const lags = (status?.instances ?? []).flatMap(({ lagBytes }) => lagBytes ?? []);
      return lags.length > 0 ? Math.max(...lags) : undefined;
    },
  },
  reconstruct_database_volume_used_ratio: {
    help: 'Used part of the fullest instance volume, from 0 to 1, in steps of 0.05 up to 0.95.',
    valueFrom: ({ status }: DatabaseResource) => {
      const used = (status?.instances ?? []).flatMap(({ usedPercent }) => usedPercent ?? []);
      return used.length > 0 ? Math.max(...used) / 100 : undefined;
    },
  },
  reconstruct_database_unarchived_since_timestamp_seconds: {
    help: 'Unix time since which the write-ahead log is not archived. Absent if the log is archived.',
    valueFrom: ({ status }: DatabaseResource) =>
      status?.unarchivedSince === undefined ? undefined : Date.parse(status.unarchivedSince) / 1000,
  },
} as const;
