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
} as const;
