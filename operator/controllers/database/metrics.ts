import type { DatabaseResource } from '../../../imports/index.js';

/** What Prometheus is told of each Database. */
export const metrics = {
  reconstruct_database_instances_ready: {
    help: 'Instances that answer queries, the primary included.',
    valueFrom: ({ status }: DatabaseResource) => status?.readyReplicas,
  },
  reconstruct_database_instances_desired: {
    help: 'Instances that the spec asks for.',
    valueFrom: ({ spec }: DatabaseResource) => spec.replicas,
  },
  reconstruct_database_has_primary: {
    help: '1 where a primary takes writes, 0 where none does.',
    valueFrom: ({ status }: DatabaseResource) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Available' && is === 'True') ? 1 : 0,
  },
  reconstruct_database_timeline: {
    help: 'The timeline of the primary: each change of the primary begins another one.',
    valueFrom: ({ status }: DatabaseResource) => status?.timeline,
  },
  reconstruct_database_replication_lag_bytes: {
    help: 'Bytes of the write-ahead log that the replica furthest behind has not received: in steps, 0 below 1 MiB.',
    valueFrom: ({ status }: DatabaseResource) => {
      const lags = (status?.instances ?? []).flatMap(({ lagBytes }) => lagBytes ?? []);
      return lags.length > 0 ? Math.max(...lags) : undefined;
    },
  },
  reconstruct_database_volume_used_ratio: {
    help: 'How full the fullest volume of an instance is, from 0 to 1: in steps of 0.05 up to 0.95.',
    valueFrom: ({ status }: DatabaseResource) => {
      const used = (status?.instances ?? []).flatMap(({ usedPercent }) => usedPercent ?? []);
      return used.length > 0 ? Math.max(...used) / 100 : undefined;
    },
  },
  reconstruct_database_unarchived_since_timestamp_seconds: {
    help: 'Unix time since which the write-ahead log is not archived; absent where it is.',
    valueFrom: ({ status }: DatabaseResource) =>
      status?.unarchivedSince === undefined ? undefined : Date.parse(status.unarchivedSince) / 1000,
  },
} as const;
