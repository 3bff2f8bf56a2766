/** The conditions of the service level of an Algorithm: each reason with its status and its default message. */
export const conditions = {
  /** Whether enough requests succeeded. Present while `spec.sla` is set. */
  SlaMet: {
    Met: ['True', 'The stable version meets its service level'],
    Breached: ['False', 'The stable version misses its service level'],
    InsufficientData: ['Unknown', 'No request was counted yet'],
    MetricsUnavailable: ['Unknown', 'No source reports metrics of the stable version'],
  },
  /** Whether requests are answered in time. Present while `spec.scaling.targetLatencyMs` is set. */
  LatencyMet: {
    Met: ['True', 'Latency is within the target'],
    TargetExceeded: ['False', 'Latency is above the target, so the minimum number of replicas is raised'],
    MaxReplicasReached: [
      'False',
      'Latency is above the target, and the number of replicas is at maxReplicas; raise maxReplicas or the target',
    ],
    InsufficientData: ['Unknown', 'The last minute had too few requests to measure latency'],
    MetricsUnavailable: ['Unknown', 'No source reports metrics of the stable version'],
  },
} as const;
