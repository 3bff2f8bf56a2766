/** All that can be said of the service level of an Algorithm's stable version: each reason with its status and sentence. */
export const conditions = {
  /** Whether enough requests were answered well. Present while `spec.sla` is. */
  SlaMet: {
    Met: ['True', 'the stable version keeps its service level'],
    Breached: ['False', 'the stable version falls short of its service level'],
    InsufficientData: ['Unknown', 'there was no request yet whose answer was counted'],
    MetricsUnavailable: ['Unknown', 'nobody tells the numbers of the stable version'],
  },
  /** Whether requests are answered in time. Present while `spec.scaling.targetLatencyMs` is. */
  LatencyMet: {
    Met: ['True', 'requests are answered within the target'],
    TargetExceeded: ['False', 'requests take longer than the target, so the replicas are raised'],
    MaxReplicasReached: [
      'False',
      'requests take longer than the target, and there are maxReplicas already: raise it, or the target',
    ],
    InsufficientData: ['Unknown', 'there were too few requests in the last minute to say how long they take'],
    MetricsUnavailable: ['Unknown', 'nobody tells the numbers of the stable version'],
  },
} as const;
