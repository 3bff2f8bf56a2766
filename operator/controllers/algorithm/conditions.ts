/** All that can be said of an Algorithm: each reason with the status that it means, and its sentence. */
export const conditions = {
  /** Whether the pods are of the current spec. */
  Deployed: {
    RolledOut: ['True', 'every replica is of the current spec'],
    RollingOut: ['Unknown', 'the replicas are being brought to the current spec'],
    RolloutFailed: ['False', 'the replicas of the current spec do not become ready'],
    Refused: ['False', 'the pods are refused'],
  },
  /** Whether requests are answered. */
  Available: {
    Serving: ['True', 'at least one replica is ready'],
    NoReadyReplica: ['False', 'no replica is ready'],
    Stopped: ['False', 'replicas is 0, so nothing runs: set it to 1 or more'],
  },
  /** Present while `spec.lifecycle` is. */
  LifecycleManaged: {
    NotManaged: [
      'False',
      'spec.lifecycle is kept but not acted upon: a new version replaces the old one in a rolling update, without a trial',
    ],
  },
  /** Present while `spec.scaling.targetLatencyMs` is. */
  LatencyManaged: {
    NotMeasured: [
      'False',
      'spec.scaling.targetLatencyMs is kept but not acted upon: the replicas follow the use of their CPU',
    ],
  },
} as const;
