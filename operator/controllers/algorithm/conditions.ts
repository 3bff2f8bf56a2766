/** All that can be said of an Algorithm: each reason with the status that it means, and its sentence. */
export const conditions = {
  /** Whether the pods are of the current spec. */
  Deployed: {
    RolledOut: ['True', 'every replica is of the current spec'],
    RollingOut: ['Unknown', 'the replicas are being brought to the current spec'],
    RolloutFailed: ['False', 'the replicas of the current spec do not become ready'],
    FailedCreate: ['False', 'the pods are refused'],
    OnTrial: ['Unknown', 'the version of the spec is not the stable one yet'],
    RolledBack: ['False', 'the version of the spec was taken back, so the one before runs on'],
  },
  /** Whether requests are answered. */
  Available: {
    Serving: ['True', 'at least one replica is ready'],
    NoReadyReplica: ['False', 'no replica is ready'],
    ScaledToZero: ['False', 'replicas is 0, so nothing runs: set it to 1 or more'],
  },
  /** Present while `spec.scaling.targetLatencyMs` is there and `spec.lifecycle` is not. */
  LatencyManaged: {
    NotMeasured: [
      'False',
      'nobody measures the latency, so the replicas follow the use of their CPU: add lifecycle, with canaryWeight 0 for no trials',
    ],
  },
} as const;
