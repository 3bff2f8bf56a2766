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
  /** Whether the gateway may serve the host. Present while `spec.host` is set. */
  HostAccepted: {
    Accepted: ['True', 'No other Algorithm has the host'],
    HostTaken: ['False', 'Another Algorithm has the host, so the gateway serves only the names of the Service'],
  },
  /** Whether the autoscaler can scale the replicas. Present while `spec.scaling` is set and the autoscaler reports it. */
  Autoscaled: {
    ScalingActive: ['True', 'The autoscaler sets the number of replicas'],
    MetricsUnavailable: [
      'False',
      'The autoscaler has no metrics, so the number of replicas does not follow the load; check the metrics API with kubectl top pods, or install metrics-server',
    ],
    ScalingDisabled: [
      'False',
      'The autoscaler is disabled, because the Deployment has 0 replicas; scale the Deployment to 1 or more',
    ],
    ScalingInactive: ['False', 'The autoscaler cannot scale'],
  },
  /** Present while `spec.scaling.targetLatencyMs` is set and `spec.lifecycle` is not. */
  LatencyManaged: {
    NotMeasured: [
      'False',
      'Latency is not measured, so the replicas follow their CPU utilization; add spec.lifecycle, with canaryWeight 0 for no trials',
    ],
  },
} as const;
