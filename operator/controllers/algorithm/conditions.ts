/** The conditions of an Algorithm: each reason with its status and its default message. */
export const conditions = {
  /** Whether the Pods run the current spec. */
  Deployed: {
    RolledOut: ['True', 'Every replica runs the current spec'],
    RollingOut: [
      'Unknown',
      'Replicas are being updated to the current spec',
      'Wait. If no replica is ready after 15 s, the message starts with the [cause](docs/kinds/algorithm/conditions.md#causes).',
    ],
    RolloutFailed: [
      'False',
      'Replicas of the current spec do not become ready',
      'Fix the cause at the start of the message, or revert the spec. If there is none, check the new Pods with `kubectl describe` and `kubectl logs`.',
    ],
    FailedCreate: [
      'False',
      'Pods cannot be created',
      'A quota or a policy of the namespace refuses the Pods. The message names it and the remedy.',
    ],
    OnTrial: [
      'Unknown',
      'The version in the spec is not the stable version yet',
      'Wait: the version of the spec is not stable yet. See `Promoted`.',
    ],
    RolledBack: [
      'False',
      'The version in the spec was rolled back, so the previous version keeps running',
      'See `Promoted`.',
    ],
  },
  /** Whether the Algorithm can answer requests. */
  Available: {
    Serving: ['True', 'At least one replica is ready'],
    NoReadyReplica: [
      'False',
      'No replica is ready',
      'Fix the [cause](docs/kinds/algorithm/conditions.md#causes) at the start of the message, such as the image. If there is none after 15 s, check whether the Pods start and the probe passes.',
    ],
    ScaledToZero: ['False', 'No Pod runs because replicas is 0', 'Set `replicas` to 1 or more.'],
  },
  /** Whether the gateway may serve the host. Present while `spec.host` is set. */
  HostAccepted: {
    Accepted: ['True', 'No other Algorithm has the host'],
    HostTaken: [
      'False',
      'Another Algorithm has the host, so the gateway serves only the names of the Service',
      'Another Algorithm has `spec.host`. The message names it. Choose another host, or change that Algorithm.',
    ],
  },
  /** Whether the autoscaler can scale the replicas. Present while `spec.scaling` is set and the autoscaler reports it. */
  Autoscaled: {
    ScalingActive: ['True', 'The autoscaler sets the number of replicas'],
    MetricsUnavailable: [
      'False',
      'The autoscaler has no metrics, so the number of replicas does not follow the load; check the metrics API with kubectl top pods, or install metrics-server',
      'The autoscaler has had no metrics for three minutes. Check `kubectl top pods`, and install metrics-server if it fails.',
    ],
    ScalingDisabled: [
      'False',
      'The autoscaler is disabled, because the Deployment has 0 replicas',
      'Scale the Deployment to 1 or more.',
    ],
    ScalingInactive: ['False', 'The autoscaler cannot scale', 'Read the message, which is that of the autoscaler.'],
  },
  /** Present while `spec.scaling.targetLatencyMs` is set and `spec.lifecycle` is not. */
  LatencyManaged: {
    NotMeasured: [
      'False',
      'Latency is not measured, so the replicas follow their CPU utilization; add spec.lifecycle, with canaryWeight 0 for no trials',
      'None, or remove `targetLatencyMs`: without `lifecycle` no latency is measured, and the replicas follow the CPU use.',
    ],
  },
} as const;
