/** The conditions of the service level of an Algorithm: each reason with its status and its default message. */
export const conditions = {
  /** Whether enough requests succeeded. Present while `spec.sla` is set. */
  SlaMet: {
    Met: ['True', 'The stable version meets its service level'],
    Breached: [
      'False',
      'The stable version misses its service level',
      'Find the failures: `status.sla` has their start and number, `status.history` the versions.',
    ],
    InsufficientData: ['Unknown', 'No request was counted yet', 'None: the window has no request.'],
    MetricsUnavailable: [
      'Unknown',
      'No source reports metrics of the stable version',
      'Find the silent source in the message, as for `MetricsUnavailable` of `Promoted`.',
    ],
  },
  /** Whether requests are answered in time. Present while `spec.scaling.targetLatencyMs` is set. */
  LatencyMet: {
    Met: ['True', 'Latency is within the target'],
    TargetExceeded: [
      'False',
      'Latency is above the target, so the minimum number of replicas is raised',
      'Wait: the operator raises the replicas.',
    ],
    MaxReplicasReached: [
      'False',
      'Latency is above the target, and the number of replicas is at maxReplicas',
      'Raise `maxReplicas` or the target, or find the slow part: more replicas may not help.',
    ],
    InsufficientData: [
      'Unknown',
      'The last minute had too few requests to measure latency',
      'None: the last minute had fewer than 20 requests.',
    ],
    MetricsUnavailable: [
      'Unknown',
      'No source reports metrics of the stable version',
      'Find the silent source in the message, as for `MetricsUnavailable` of `Promoted`. The replicas do not change.',
    ],
  },
} as const;
