/** Condition types and reasons of a KafkaUser. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the user can log in with the credentials of its Secret. */
  Authenticated: {
    Accepted: ['True', 'Kafka accepts the credentials of the Secret'],
    Applying: ['Unknown', 'The password is being set'],
    CertificatePending: ['Unknown', 'The certificate is being issued', 'Check the Certificate of the same name.'],
    AuthorityMissing: [
      'Unknown',
      'The CA certificate of the listener does not exist',
      'Check the Certificate in the message. The Secret of the user keeps what it has.',
    ],
    ClusterUnknown: ['Unknown', 'The brokers do not answer', 'Check the KafkaCluster.'],
    NamespaceTerminating: ['Unknown', 'The namespace is being deleted', 'Wait. The message has the namespace.'],
    ClusterNotFound: [
      'False',
      'The KafkaCluster does not exist',
      'Create the KafkaCluster, or create a KafkaUser that names another one.',
    ],
    Refused: ['False', 'Kafka refuses the credentials', 'Fix the cause in the message. It has the words of Kafka.'],
  },
  /** Whether the user has the rights and limits of the spec. */
  Authorized: {
    UpToDate: ['True', 'The ACLs and quotas are those of the spec'],
    Applying: ['Unknown', 'ACLs or quotas are being changed'],
    ClusterUnknown: ['Unknown', 'The brokers do not answer', 'Check the KafkaCluster.'],
    NamespaceTerminating: ['Unknown', 'The namespace is being deleted', 'Wait. The message has the namespace.'],
    Refused: ['False', 'Kafka refuses ACLs or quotas', 'Fix the cause in the message.'],
  },
} as const;

/** What to do about a rejected spec, by reason. */
export const rejections = {
  NoListener: 'Add a listener with the `authentication` of the user to the KafkaCluster. The Secret stays as it is.',
  ReservedName: 'Create another KafkaUser with another name: the certificate of this one could do everything.',
} as const;
