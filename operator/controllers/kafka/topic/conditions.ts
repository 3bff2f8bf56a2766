/** Condition types and reasons of a KafkaTopic. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the topic in Kafka is as the spec wants it. */
  Configured: {
    Configured: ['True', 'The topic has the partitions, replicas and properties of the spec'],
    Creating: ['Unknown', 'The topic is being created'],
    BrokersPending: [
      'Unknown',
      'The topic waits for the brokers of a new KafkaCluster',
      'Wait until the brokers of the new KafkaCluster run.',
    ],
    Changing: ['Unknown', 'The topic is being changed'],
    ClusterUnknown: ['Unknown', 'The brokers do not answer', 'Check the KafkaCluster.'],
    Deleting: ['Unknown', 'The topic is being deleted'],
    NamespaceTerminating: ['Unknown', 'The namespace is being deleted', 'Wait. The message has the namespace.'],
    ClusterNotFound: [
      'False',
      'The KafkaCluster does not exist',
      'Create the KafkaCluster, or create a KafkaTopic that names another one.',
    ],
    Conflict: ['False', 'Another KafkaTopic has this topic', 'Delete one of the two KafkaTopics.'],
    Lost: [
      'False',
      'The topic was deleted in Kafka',
      'Restore the records, or set `onLoss: Recreate` for an empty topic.',
    ],
    FewerPartitions: [
      'False',
      'The topic has more partitions than the spec, and Kafka cannot remove any',
      'Set `partitions` to the number that the topic has.',
    ],
    Refused: ['False', 'Kafka refuses the topic', 'Fix the cause in the message. It has the words of Kafka.'],
  },
  /** Whether all replicas of the topic have all records. */
  Replicated: {
    InSync: ['True', 'All replicas are in sync'],
    UnderReplicated: ['False', 'Replicas are not in sync', 'See the KafkaCluster.'],
    TopicUnknown: ['Unknown', 'The state of the topic is not known'],
  },
} as const;

/** What to do about a rejected spec, by reason. */
export const rejections = {
  ReplicationTooLow: 'Raise `replication`, or set a lower `min.insync.replicas` in `config` of the topic.',
  InvalidName: 'Create another KafkaTopic with a name that Kafka accepts.',
} as const;
