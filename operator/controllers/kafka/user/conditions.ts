/** Condition types and reasons of a KafkaUser. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the user can log in with the credentials of its Secret. */
  Authenticated: {
    Accepted: ['True', 'Kafka accepts the credentials of the Secret'],
    Applying: ['Unknown', 'The password is being set'],
    CertificatePending: ['Unknown', 'The certificate is being issued'],
    AuthorityMissing: ['Unknown', 'The CA certificate of the listener does not exist'],
    ClusterUnknown: ['Unknown', 'The brokers do not answer'],
    NamespaceTerminating: ['Unknown', 'The namespace is being deleted'],
    ClusterNotFound: ['False', 'The KafkaCluster does not exist'],
    Refused: ['False', 'Kafka refuses the credentials'],
  },
  /** Whether the user has the rights and limits of the spec. */
  Authorized: {
    UpToDate: ['True', 'The ACLs and quotas are those of the spec'],
    Applying: ['Unknown', 'ACLs or quotas are being changed'],
    ClusterUnknown: ['Unknown', 'The brokers do not answer'],
    NamespaceTerminating: ['Unknown', 'The namespace is being deleted'],
    Refused: ['False', 'Kafka refuses ACLs or quotas'],
  },
} as const;
