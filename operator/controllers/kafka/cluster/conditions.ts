/** Condition types and reasons of a KafkaCluster. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the desired nodes exist and run. */
  Provisioned: {
    NodesReady: ['True', 'All brokers and controllers are ready'],
    Provisioning: [
      'Unknown',
      'Brokers or controllers are being created',
      'Wait for the nodes in the message. For a broker that loads its log, see [Slow starts](docs/kinds/kafka/volumes.md#slow-starts).',
    ],
    NodeNotReady: [
      'False',
      'A broker or controller fails to become ready',
      'Fix the cause in the message, such as an image or a node without room.',
    ],
    AddressPending: [
      'False',
      'A listener for other networks has no address yet',
      'Check the Service in the message, and what assigns addresses to load balancers. For TLSRoutes, install the Gateway API.',
    ],
    ControllersMissing: [
      'False',
      'No PVC of a controller is left',
      'Restore the PVCs of the controllers, or begin with an empty cluster. See [Lost controllers](docs/kinds/kafka/volumes.md#lost-controllers).',
    ],
    NodeDeleted: [
      'False',
      'The machine that has the volume of a node no longer exists',
      'Bring the machine back, or wait for `replaceAfter`. The message has what the replacement waits for.',
    ],
    VolumeFailed: [
      'False',
      'A broker cannot use one of its volumes',
      'Repair the disk and delete the Pod in the message, or drain the broker and remove it.',
    ],
    VolumeNearlyFull: [
      'False',
      'A volume is nearly full',
      'Increase the size of the volume in the message, lower `retention.ms` or `retention.bytes` of topics, or set quotas of users.',
    ],
  },
  /** Whether clients can produce and consume. */
  Available: {
    Serving: ['True', 'Every partition has a leader'],
    Initializing: [
      'Unknown',
      'The metadata quorum is being formed',
      'Wait. If it takes longer than five minutes, read the logs of the controllers.',
    ],
    Terminating: [
      'Unknown',
      'The KafkaCluster is being deleted, and its nodes are stopping',
      'Wait. Brokers stop before controllers.',
    ],
    BrokersUnreachable: [
      'Unknown',
      'The brokers do not answer the operator',
      'Check the Pods and the network. No node is stopped meanwhile. The message has the error.',
    ],
    NoQuorum: [
      'False',
      'The metadata quorum has no leader',
      'Bring back a majority of the controllers. Do not delete PVCs.',
    ],
    PartitionsOffline: [
      'False',
      'Partitions have no leader, because all of their in-sync replicas are down',
      'Bring back a broker that has the partitions with all records. Do not delete PVCs. If none returns, see [Lost records](docs/kinds/kafka/README.md#lost-records).',
    ],
  },
  /** Whether all replicas have all records. */
  Replicated: {
    InSync: ['True', 'All replicas are in sync'],
    Initializing: ['Unknown', 'The brokers have not reported their replicas yet'],
    BrokersUnreachable: ['Unknown', 'The brokers do not answer the operator', 'See `Available`.'],
    UnderReplicated: [
      'False',
      'Replicas are not in sync',
      'Wait, or fix the brokers in the message. If it names none, check the disk and the idle request handlers of each broker in the dashboard, and add brokers or raise `resources`.',
    ],
    BelowMinIsr: [
      'False',
      'Partitions refuse records of producers with acks=all',
      'Fix the brokers in the message. Producers with `acks=all` are refused. Do not lower `min.insync.replicas` unless you accept that records have one copy.',
    ],
  },
  /** Whether every node runs the current spec. */
  UpToDate: {
    UpToDate: ['True', 'Every node runs the current spec'],
    RollingOut: [
      'Unknown',
      'Nodes are being replaced one after another, or apply properties',
      'Wait. The message has the reason why no node is replaced now.',
    ],
    RolloutStalled: [
      'False',
      'The rollout is stalled, because a node does not become ready',
      'Fix the Pod in the message, or set the earlier value again. The other nodes serve. With `ControllersMissing`, see `Provisioned`.',
    ],
    BrokerOverridden: [
      'False',
      'A broker has dynamic properties of its own, which outrank the spec',
      'Remove the properties with the command in the message, when their purpose has ended. See [Properties of a single broker](docs/kinds/kafka/commands.md#properties-of-a-single-broker).',
    ],
    PropertyRefused: [
      'False',
      'Kafka refuses a property; correct or remove it in spec.config',
      'Correct or remove the property in the message.',
    ],
  },
  /** Whether replicas and votes are where the spec wants them. */
  Balanced: {
    Balanced: ['True', 'No replica has to move'],
    Moving: ['Unknown', 'Replicas or votes are moving', 'Wait. Raise `rebalance.throttle` to move replicas faster.'],
    RemovalRefused: [
      'False',
      'A broker cannot be removed',
      'Lower the replicas of the topic in the message, or keep the broker.',
    ],
    ElectionRefused: [
      'False',
      'The annotation reconstruct.dev/unclean names more than partitions without a leader',
      'Correct the annotation `reconstruct.dev/unclean`.',
    ],
    DrainRefused: [
      'False',
      'The annotation reconstruct.dev/drain names more than IDs of brokers',
      'Correct the annotation `reconstruct.dev/drain`. The IDs in it are drained all the same.',
    ],
    RequestFailed: [
      'False',
      'Kafka refuses a request of the operator',
      'Fix the cause in the message. It has the words of Kafka.',
    ],
  },
  /** Whether each user that the operator created has a KafkaUser or a SecretRotation. */
  Claimed: {
    Claimed: ['True', 'Each user that the operator created has its resource'],
    LoginsAllowed: ['True', 'The annotation reconstruct.dev/allow-logins allows users without a resource'],
    Initializing: ['Unknown', 'The brokers have not reported their users yet'],
    BrokersUnreachable: ['Unknown', 'The brokers do not answer the operator', 'See `Available`.'],
    LoginsUnclaimed: [
      'False',
      'No resource has a user that the operator created, and Kafka refuses everything to it',
      'Create the KafkaUsers again, or allow the users. See [Users without a KafkaUser](docs/kinds/kafka/volumes.md#users-without-a-kafkauser).',
    ],
    RequestFailed: [
      'False',
      'Kafka refuses a request of the operator',
      'Fix the cause in the message. It has the words of Kafka.',
    ],
  },
  /** Whether each topic that a KafkaTopic would delete has its KafkaTopic. It does not affect `Ready`. */
  TopicsClaimed: {
    Claimed: ['True', 'Each topic that is deleted with its KafkaTopic has one'],
    TopicsAllowed: ['True', 'The annotation reconstruct.dev/allow-topics allows topics without a KafkaTopic'],
    Initializing: ['Unknown', 'The brokers have not reported their topics yet'],
    BrokersUnreachable: ['Unknown', 'The brokers do not answer the operator', 'See `Available`.'],
    TopicsUnclaimed: [
      'False',
      'No KafkaTopic has a topic that was to be deleted with its KafkaTopic',
      'Create the KafkaTopics again, or allow the topics. See [Topics without a KafkaTopic](docs/kinds/kafka/volumes.md#topics-without-a-kafkatopic).',
    ],
    RequestFailed: [
      'False',
      'Kafka refuses a request of the operator',
      'Fix the cause in the message. It has the words of Kafka.',
    ],
  },
  /** Whether the version is final. */
  Finalized: {
    Finalized: ['True', 'The version is finalized'],
    Soaking: [
      'Unknown',
      'The operator finalizes the version later; until then you can return to the earlier version',
      'None. You can set the earlier version until `status.finalizationTime`.',
    ],
    ApprovalPending: [
      'Unknown',
      'The version is finalized when a person approves it',
      'Approve the version, or set the earlier one.',
    ],
    Initializing: ['Unknown', 'The level of metadata.version is not known yet'],
  },
} as const;

/** What to do about a rejected spec, by reason. */
export const rejections = {
  Invalid: 'Correct the fields in the message. The nodes run on with the last accepted spec.',
  VersionFinalized: 'Set `version` back: it is lower than the finalized one.',
  VolumeCannotShrink:
    'Set the size back to that of the volume in the message. For smaller volumes, add a pool and drain the brokers.',
  VolumesOfOtherCluster:
    'Delete the claims that belong to the other cluster of Kafka, or use another name. If you delete the KafkaCluster, those claims stay.',
  VolumesOfOtherControllers:
    'Create the KafkaCluster with the `controllers.combined` of the claims that are left, or use another name.',
} as const;
