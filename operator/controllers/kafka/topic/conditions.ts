/** Condition types and reasons of a KafkaTopic. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the topic in Kafka is as the spec wants it. */
  Configured: {
    Configured: ['True', 'The topic has the partitions, replicas and properties of the spec'],
    Creating: ['Unknown', 'The topic is being created'],
    BrokersPending: ['Unknown', 'The topic waits for the brokers of a new KafkaCluster'],
    Changing: ['Unknown', 'The topic is being changed'],
    ClusterUnknown: ['Unknown', 'The brokers do not answer'],
    Deleting: ['Unknown', 'The topic is being deleted'],
    NamespaceTerminating: ['Unknown', 'The namespace is being deleted'],
    ClusterNotFound: ['False', 'The KafkaCluster does not exist'],
    Conflict: ['False', 'Another KafkaTopic has this topic'],
    Lost: ['False', 'The topic was deleted in Kafka'],
    FewerPartitions: ['False', 'The topic has more partitions than the spec, and Kafka cannot remove any'],
    Refused: ['False', 'Kafka refuses the topic'],
  },
  /** Whether all replicas of the topic have all records. */
  Replicated: {
    InSync: ['True', 'All replicas are in sync'],
    UnderReplicated: ['False', 'Replicas are not in sync'],
    TopicUnknown: ['Unknown', 'The state of the topic is not known'],
  },
} as const;
