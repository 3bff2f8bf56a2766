/** The conditions of trials and routing of an Algorithm: each reason with its status and its default message. */
export const conditions = {
  /** Whether the version in the spec is the stable one. */
  Promoted: {
    Stable: ['True', 'The version in the spec is the stable version'],
    Baking: ['True', 'The version in the spec was promoted; a bad verdict still rolls it back until the bake ends'],
    WaitingForGateway: ['Unknown', 'The trial starts when the gateway is ready'],
    Starting: ['Unknown', 'The Pods of the version on trial are not ready, so it gets no requests'],
    Analyzing: ['Unknown', 'The version on trial is being analyzed'],
    MetricsUnavailable: [
      'Unknown',
      'No source reports metrics of the version on trial, so it is neither promoted nor rolled back',
    ],
    Paused: ['Unknown', 'The trial is paused by spec.lifecycle.paused: no action is taken and its timers are stopped'],
    Promoting: ['Unknown', 'The version in the spec is being promoted: the stable Pods are being updated to it'],
    ReconcileFailed: ['Unknown', 'The last reconcile failed'],
    ApplyRejected: ['False', 'The API server rejected an object'],
    Conflict: ['False', 'An object that the trial needs belongs to another owner'],
    RolledBack: ['False', 'The version in the spec was rolled back because it is bad'],
    DeadlineExceeded: [
      'False',
      'The version in the spec was rolled back because it was not proved good before the deadline',
    ],
    RolloutFailed: [
      'False',
      'The version in the spec was rolled back because the stable Pods did not become ready with it',
    ],
    Aborted: ['False', 'The version in the spec was rolled back on request'],
  },
  /** Whether a gateway splits the requests. */
  Routed: {
    TrafficSplit: ['True', 'The gateway splits the requests'],
    WaitingForGateway: ['Unknown', 'The gateway does not serve this Algorithm yet'],
    SwitchingToGateway: [
      'Unknown',
      'The gateway serves this Algorithm, and its Service is being switched to the gateway',
    ],
    NoGatewayApi: [
      'False',
      'The cluster does not serve the Gateway API, so a change is a plain rolling update, and no requests are measured; install the Gateway API CRDs',
    ],
    NoGateway: [
      'False',
      'GatewayClass reconstruct does not exist and spec.gateway is not set, so a change is a plain rolling update, and no requests are measured; apply dist/gateway or set spec.gateway',
    ],
    SwitchingToPods: ['False', 'spec.lifecycle was removed, so the Service is being switched back to the Pods'],
  },
} as const;
