/** The conditions of trials and routing of an Algorithm: each reason with its status and its default message. */
export const conditions = {
  /** Whether the version in the spec is the stable one. */
  Promoted: {
    Stable: ['True', 'The version in the spec is the stable version'],
    Baking: ['True', 'The version in the spec was promoted; a bad verdict still rolls it back until the bake ends'],
    WaitingForGateway: [
      'Unknown',
      'The trial starts when the gateway is ready',
      'See `Routed`: the trial starts when the gateway is ready.',
    ],
    Starting: [
      'Unknown',
      'The Pods of the version on trial are not ready, so it gets no requests',
      'Wait. The message has the number of ready Pods, and the cause if others are not: an image, a crash, a probe, no room.',
    ],
    Analyzing: ['Unknown', 'The version on trial is being analyzed', 'Wait. The message has the result so far.'],
    MetricsUnavailable: [
      'Unknown',
      'No source reports metrics of the version on trial, so it is neither promoted nor rolled back',
      'Find the silent source in the message. Restart proxies that fail, and let the Pods of the operator reach the [metrics ports](docs/kinds/algorithm/metrics.md). With `--prometheus-url`, check the targets of Prometheus. The trial waits, and ends at its deadline.',
    ],
    Paused: [
      'Unknown',
      'The trial is paused by spec.lifecycle.paused: no action is taken and its timers are stopped',
      'Set `lifecycle.paused` to false to continue. The message has the current percentage and result.',
    ],
    Promoting: [
      'Unknown',
      'The version in the spec is being promoted: the stable Pods are being updated to it',
      'Wait: the stable Pods are being replaced.',
    ],
    ReconcileFailed: [
      'Unknown',
      'The last reconcile failed',
      'Wait: the operator retries with backoff. The message names the failure.',
    ],
    ApplyRejected: [
      'False',
      'The API server rejected an object',
      'The API server refused an object of the trial. Read the message.',
    ],
    Conflict: [
      'False',
      'An object that the trial needs belongs to another owner',
      'An object that the trial needs has another owner. The message names it.',
    ],
    RolledBack: [
      'False',
      'The version in the spec was rolled back because it is bad',
      'The version was bad. The message has the metric. Set the stable version or a better one: the same one is not tried again.',
    ],
    DeadlineExceeded: [
      'False',
      'The version in the spec was rolled back because it was not proved good before the deadline',
      'The version was not proved good in time: too few requests, no metrics, or Pods that were never ready. As above, or set a later deadline or a higher weight.',
    ],
    RolloutFailed: [
      'False',
      'The version in the spec was rolled back because the stable Pods did not become ready with it',
      'The version was proved good, but the stable Pods did not become ready. Check them, then as above.',
    ],
    Aborted: [
      'False',
      'The version in the spec was rolled back on request',
      'A user aborted the trial. As above. To [try the version again](docs/kinds/algorithm/tasks.md#try-a-rolled-back-version-again), set the stable version first.',
    ],
  },
  /** Whether a gateway splits the requests. */
  Routed: {
    TrafficSplit: ['True', 'The gateway splits the requests'],
    WaitingForGateway: [
      'Unknown',
      'The gateway does not serve this Algorithm yet',
      'Wait. If it takes long, check the Gateway and its proxies with `kubectl describe gateway,httproute`. Fix what keeps the proxies from being ready: an image, room on the nodes, or a quota.',
    ],
    SwitchingToGateway: [
      'Unknown',
      'The gateway serves this Algorithm, and its Service is being switched to the gateway',
      'Wait some seconds: the gateway is ready, and the Service is being switched to it. If it stays, the Service has another owner: see `Ready`.',
    ],
    NoGatewayApi: [
      'False',
      'The cluster does not serve the Gateway API, so a change is a plain rolling update, and no requests are measured',
      'Install the CRDs of the Gateway API, which the operator finds within a minute.',
    ],
    NoGateway: [
      'False',
      'GatewayClass reconstruct does not exist and spec.gateway is not set, so a change is a plain rolling update, and no requests are measured',
      'Install [`dist/gateway`](docs/installing.md), or set `spec.gateway`.',
    ],
    SwitchingToPods: [
      'False',
      'spec.lifecycle was removed, so the Service is being switched back to the Pods',
      'None: `lifecycle` was removed, and the requests go to the Pods again.',
    ],
  },
} as const;
