import type { DatabaseResource } from '../../../imports/index.js';

/** What Prometheus is told of each Database. */
export const figures = {
  reconstruct_database_instances_ready: {
    help: 'Instances that answer queries, the primary included.',
    of: ({ status }: DatabaseResource) => status?.readyReplicas,
  },
  reconstruct_database_instances_wanted: {
    help: 'Instances that there are to be.',
    of: ({ spec }: DatabaseResource) => spec.replicas,
  },
  reconstruct_database_has_primary: {
    help: '1 where a primary takes writes, 0 where none does.',
    of: ({ status }: DatabaseResource) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Available' && is === 'True') ? 1 : 0,
  },
  reconstruct_database_timeline: {
    help: 'The timeline of the primary: each change of the primary begins another one.',
    of: ({ status }: DatabaseResource) => status?.timeline,
  },
  reconstruct_database_replication_lag_bytes: {
    help: 'Bytes of the write-ahead log that the replica furthest behind has not received: in steps, 0 below 1 MiB.',
    of: ({ status }: DatabaseResource) => {
      const lags = (status?.instances ?? []).flatMap(({ lagBytes }) => lagBytes ?? []);
      return lags.length > 0 ? Math.max(...lags) : undefined;
    },
  },
  reconstruct_database_volume_used_ratio: {
    help: 'How full the fullest volume of an instance is, from 0 to 1: in steps of 0.05 up to 0.95.',
    of: ({ status }: DatabaseResource) => {
      const used = (status?.instances ?? []).flatMap(({ usedPercent }) => usedPercent ?? []);
      return used.length > 0 ? Math.max(...used) / 100 : undefined;
    },
  },
  reconstruct_database_unarchived_since_timestamp_seconds: {
    help: 'Since when the log does not reach the archive, in seconds since 1970; absent where it does.',
    of: ({ status }: DatabaseResource) =>
      status?.unarchivedSince === undefined ? undefined : Date.parse(status.unarchivedSince) / 1000,
  },
} as const;
