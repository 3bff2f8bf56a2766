/** The conditions of an Algorithm: each reason with its status and its default message. */
export const conditions = {
  /** Whether the Pods run the current spec. */
  Deployed: {
    RolledOut: ['True', 'Every replica runs the current spec'],
    RollingOut: ['Unknown', 'Replicas are being updated to the current spec'],
    RolloutFailed: ['False', 'Replicas of the current spec do not become ready'],
    FailedCreate: ['False', 'Pods cannot be created'],
    OnTrial: ['Unknown', 'The version in the spec is not the stable version yet'],
    RolledBack: ['False', 'The version in the spec was rolled back, so the previous version keeps running'],
  },
  /** Whether the Algorithm can answer requests. */
  Available: {
    Serving: ['True', 'At least one replica is ready'],
    NoReadyReplica: ['False', 'No replica is ready'],
    ScaledToZero: ['False', 'No Pod runs because replicas is 0; set it to 1 or more'],
  },
  /** Present while `spec.scaling.targetLatencyMs` is set and `spec.lifecycle` is not. */
  LatencyManaged: {
    NotMeasured: [
      'False',
      'Latency is not measured, so the replicas follow their CPU utilization; add spec.lifecycle, with canaryWeight 0 for no trials',
    ],
  },
} as const;
