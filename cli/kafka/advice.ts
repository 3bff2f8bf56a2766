type Advice = Readonly<Record<string, Readonly<Record<string, string>>>>;

const brokersUnreachable =
  'check the Pods of the brokers and the network between the operator and them; no node is stopped meanwhile';
const clusterUnknown = 'look at the KafkaCluster first';

/** What to do about the conditions of a KafkaCluster that need a person, by type and reason. */
const ofClusters: Advice = {
  Provisioned: {
    NodeNotReady: 'fix the cause in the message, such as the image or a cluster without room',
    AddressPending: 'check the Service in the message, and what assigns addresses; TLSRoutes need the Gateway API',
    ControllersMissing: 'restore the PVCs of the controllers, or begin with an empty cluster as the message has it',
    NodeDeleted: 'bring the machine back, or wait until spec.replaceAfter has passed',
    VolumeFailed: 'repair the disk and delete the Pod, or drain the broker and remove it',
    VolumeNearlyFull:
      'increase the size of the storage; until it has grown, lower retention.ms or retention.bytes of topics',
  },
  Available: {
    BrokersUnreachable: brokersUnreachable,
    NoQuorum: 'bring back a majority of the controllers',
    PartitionsOffline:
      'bring back a broker that has the partitions; if none returns, read Lost records in docs/kinds/kafka.md',
  },
  Replicated: {
    BrokersUnreachable: brokersUnreachable,
    UnderReplicated: 'wait if a node has just started; otherwise fix the brokers in the message',
    BelowMinIsr: 'fix the brokers in the message: producers with acks=all are refused',
  },
  UpToDate: {
    RolloutStalled: 'fix the Pod in the message, or set the earlier value again; the other nodes serve',
    BrokerOverridden:
      'remove the properties with the command in the message, or set them in spec.config for all brokers',
    PropertyRefused: 'correct or remove the property in spec.config',
  },
  Balanced: {
    RemovalRefused: 'lower the replication of the topic in the message, or keep the broker',
    ElectionRefused: 'correct the annotation reconstruct.dev/unclean',
    DrainRefused: 'correct the annotation reconstruct.dev/drain',
    RequestFailed: 'fix the cause in the words of Kafka',
  },
  Claimed: {
    BrokersUnreachable: brokersUnreachable,
    LoginsUnclaimed: 'create the KafkaUsers again, or allow the users with the annotation reconstruct.dev/allow-logins',
    RequestFailed: 'fix the cause in the words of Kafka',
  },
  TopicsClaimed: {
    BrokersUnreachable: brokersUnreachable,
    TopicsUnclaimed:
      'create the KafkaTopics again, or allow the topics with the annotation reconstruct.dev/allow-topics',
    RequestFailed: 'fix the cause in the words of Kafka',
  },
  Accepted: {
    Invalid: 'correct the fields in the message; the nodes run on with the last accepted spec',
    VersionFinalized: 'set spec.version back to the finalized version',
    VolumeCannotShrink:
      'set the size back to that of the volume in the message; for smaller volumes, add a pool and drain the brokers',
    VolumesOfOtherCluster: 'delete the claims that belong to the other cluster, or use another name',
    VolumesOfOtherControllers:
      'create the KafkaCluster with the controllers.combined of the claims that are left, or use another name',
  },
};

const ofTopics: Advice = {
  Configured: {
    ClusterUnknown: clusterUnknown,
    ClusterNotFound: 'create the KafkaCluster, or a KafkaTopic that names another one',
    Conflict: 'delete one of the two KafkaTopics',
    Lost: 'restore the records, or set onLoss to Recreate for an empty topic',
    FewerPartitions: 'set spec.partitions to the number that the topic has',
    Refused: 'fix the cause in the words of Kafka',
  },
  Replicated: { UnderReplicated: clusterUnknown },
  Accepted: {
    InvalidName: 'create another KafkaTopic with a name that Kafka accepts',
    ReplicationTooLow: 'raise spec.replication, or lower min.insync.replicas in spec.config of the KafkaTopic',
  },
};

const ofUsers: Advice = {
  Authenticated: {
    AuthorityMissing: 'look at the Certificate in the message',
    CertificatePending: 'look at the Certificate of the same name',
    ClusterUnknown: clusterUnknown,
    ClusterNotFound: 'create the KafkaCluster, or a KafkaUser that names another one',
    Refused: 'fix the cause in the words of Kafka',
  },
  Authorized: { ClusterUnknown: clusterUnknown, Refused: 'fix the cause in the words of Kafka' },
  Accepted: {
    NoListener: 'add a listener with the authentication of the user to spec.listeners of the KafkaCluster',
    ReservedName: 'create another KafkaUser with another name',
  },
};

/** What to do, by kind. */
export const advice: Readonly<Record<string, Advice>> = {
  KafkaCluster: ofClusters,
  KafkaTopic: ofTopics,
  KafkaUser: ofUsers,
};

/** What to do about a condition. Undefined if its message has it, or if waiting is all. */
export function adviceFor(kind: string, { type, reason }: { readonly type: string; readonly reason: string }) {
  return advice[kind]?.[type]?.[reason];
}
