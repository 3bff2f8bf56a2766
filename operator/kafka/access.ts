/** How the operator reaches a Kafka cluster. The source reads the Secret itself. */
export interface KafkaAccess {
  /** The UID of the KafkaCluster. Connections are kept by it. */
  readonly cluster: string;
  readonly namespace: string;
  /** The Secret with the client certificate of the operator: `tls.crt`, `tls.key` (PKCS #8) and `ca.crt`. */
  readonly secret: string;
  /** Brokers to connect to, on the listener of the operator and of the brokers. Their certificates have these host names. */
  readonly bootstrap: readonly KafkaAddress[];
}

/** The address of a listener of a node. */
export interface KafkaAddress {
  readonly host: string;
  readonly port: number;
}
