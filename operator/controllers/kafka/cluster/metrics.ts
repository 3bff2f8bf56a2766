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
  reconstruct_kafka_volume_used_ratio: {
    help: 'Used part of the fullest volume of a broker, from 0 to 1, in steps of 0.05 up to 0.95.',
    valueFrom: ({ status }: KafkaClusterResource) => {
      const used = (status?.nodes ?? []).flatMap(({ usedPercent }) => usedPercent ?? []);
      return used.length === 0 ? undefined : Math.max(...used) / 100;
    },
  },
  // The name of kafka_exporter, which dashboards of Kafka know.
  kafka_consumergroup_lag: {
    help: 'Number of records by which a consumer group is behind in a topic, to two digits, for the 50 pairs that are the furthest behind.',
    labels: ['consumergroup', 'topic'],
    valueFrom: ({ status }: KafkaClusterResource) =>
      status?.consumerGroups?.map(({ group, topic, lag }) => ({
        ...{ labels: { consumergroup: group, topic }, value: lag },
      })),
  },
};
