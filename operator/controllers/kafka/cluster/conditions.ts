/** Condition types and reasons of a KafkaCluster. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the desired nodes exist and run. */
  Provisioned: {
    NodesReady: ['True', 'All brokers and controllers are ready'],
    Provisioning: ['Unknown', 'Brokers or controllers are being created'],
    NodeNotReady: ['False', 'A broker or controller fails to become ready'],
    AddressPending: ['False', 'A listener for other networks has no address yet'],
    ControllersMissing: ['False', 'No PVC of a controller is left'],
    NodeDeleted: ['False', 'The machine that has the volume of a node no longer exists'],
    VolumeFailed: ['False', 'A broker cannot use one of its volumes'],
    VolumeNearlyFull: ['False', 'A volume is nearly full; increase the size, or lower the retention of topics'],
  },
  /** Whether clients can produce and consume. */
  Available: {
    Serving: ['True', 'Every partition has a leader'],
    Initializing: ['Unknown', 'The metadata quorum is being formed'],
    Terminating: ['Unknown', 'The KafkaCluster is being deleted, and its nodes are stopping'],
    BrokersUnreachable: ['Unknown', 'The brokers do not answer the operator'],
    NoQuorum: ['False', 'The metadata quorum has no leader'],
    PartitionsOffline: ['False', 'Partitions have no leader, because all of their in-sync replicas are down'],
  },
  /** Whether all replicas have all records. */
  Replicated: {
    InSync: ['True', 'All replicas are in sync'],
    Initializing: ['Unknown', 'The brokers have not reported their replicas yet'],
    BrokersUnreachable: ['Unknown', 'The brokers do not answer the operator'],
    UnderReplicated: ['False', 'Replicas are not in sync'],
    BelowMinIsr: ['False', 'Partitions refuse records of producers with acks=all'],
  },
  /** Whether every node runs the current spec. */
  UpToDate: {
    UpToDate: ['True', 'Every node runs the current spec'],
    RollingOut: ['Unknown', 'Nodes are being replaced one after another, or apply properties'],
    RolloutStalled: ['False', 'The rollout is stalled, because a node does not become ready'],
    BrokerOverridden: ['False', 'A broker has dynamic properties of its own, which outrank the spec'],
    PropertyRefused: ['False', 'Kafka refuses a property; correct or remove it in spec.config'],
  },
  /** Whether replicas and votes are where the spec wants them. */
  Balanced: {
    Balanced: ['True', 'No replica has to move'],
    Moving: ['Unknown', 'Replicas or votes are moving'],
    RemovalRefused: ['False', 'A broker cannot be removed'],
    ElectionRefused: ['False', 'The annotation reconstruct.dev/unclean names more than partitions without a leader'],
    DrainRefused: ['False', 'The annotation reconstruct.dev/drain names more than IDs of brokers'],
    RequestFailed: ['False', 'Kafka refuses a request of the operator'],
  },
  /** Whether each user that the operator created has a KafkaUser or a SecretRotation. */
  Claimed: {
    Claimed: ['True', 'Each user that the operator created has its resource'],
    LoginsAllowed: ['True', 'The annotation reconstruct.dev/allow-logins allows users without a resource'],
    Initializing: ['Unknown', 'The brokers have not reported their users yet'],
    BrokersUnreachable: ['Unknown', 'The brokers do not answer the operator'],
    LoginsUnclaimed: ['False', 'No resource has a user that the operator created, and Kafka refuses everything to it'],
    RequestFailed: ['False', 'Kafka refuses a request of the operator'],
  },
  /** Whether the version is final. */
  Finalized: {
    Finalized: ['True', 'The version is finalized'],
    Soaking: ['Unknown', 'The operator finalizes the version later; until then you can return to the earlier version'],
    ApprovalPending: ['Unknown', 'The version is finalized when a person approves it'],
    Initializing: ['Unknown', 'The level of metadata.version is not known yet'],
  },
} as const;
