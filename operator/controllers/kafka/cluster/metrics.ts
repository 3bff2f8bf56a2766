import type { KafkaClusterResource } from '../../../../imports/index.js';

/** The metrics of a KafkaCluster. */
export const metrics = {
  reconstruct_kafka_brokers_ready: {
    help: 'Number of brokers that are ready, of all pools.',
    valueFrom: ({ status }: KafkaClusterResource) => status?.readyBrokers,
  },
  reconstruct_kafka_brokers_desired: {
    help: 'Number of brokers in the spec, of all pools.',
    valueFrom: ({ spec }: KafkaClusterResource) =>
      spec.pools.reduce((sum, { replicas }) => sum + replicas, spec.brokers.replicas),
  },
  reconstruct_kafka_under_replicated_partitions: {
    help: 'Number of partitions with fewer in-sync replicas than replicas.',
    valueFrom: ({ status }: KafkaClusterResource) => status?.underReplicatedPartitions,
  },
};
