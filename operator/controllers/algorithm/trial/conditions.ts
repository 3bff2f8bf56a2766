/** All that can be said of how an Algorithm's versions come to serve: each reason with its status and its sentence. */
export const conditions = {
  /** Whether the version of the spec is the stable one. */
  Promoted: {
    Stable: ['True', 'the version of the spec is the stable one'],
    Baking: ['True', 'the version of the spec was promoted; a bad number still takes it back until the bake is over'],
    WaitingForGateway: ['Unknown', 'a trial begins when the gateway is there'],
    Starting: ['Unknown', 'the pods of the version on trial are not ready, so it gets no requests'],
    Analyzing: ['Unknown', 'the version on trial is being judged'],
    MetricsUnavailable: [
      'Unknown',
      'nobody tells the numbers of the version on trial, so it is neither promoted nor taken back',
    ],
    Paused: ['Unknown', 'spec.lifecycle.paused is true: nothing is done, and no time goes by'],
    Promoting: ['Unknown', 'the version is to be the stable one; the stable pods are being brought to it'],
    ReconcileFailed: ['Unknown', 'the last reconcile failed'],
    ApplyRejected: ['False', 'the API server refused an object'],
    Conflict: ['False', "an object that a trial needs is somebody else's"],
    RolledBack: ['False', 'the version of the spec was taken back because it is bad'],
    DeadlineExceeded: ['False', 'the version of the spec was taken back because it was not proved good in time'],
    RolloutFailed: ['False', 'the version of the spec was taken back because the stable pods did not come up with it'],
    Aborted: ['False', 'the version of the spec was taken back because somebody asked for that'],
  },
  /** Whether the requests go through a gateway, which splits them. */
  Routed: {
    TrafficSplit: ['True', 'the gateway splits the requests'],
    WaitingForGateway: ['Unknown', 'the gateway does not answer for this Algorithm yet'],
    SwitchingToGateway: ['Unknown', 'the gateway answers for this Algorithm, and its Service is being led there'],
    NoGatewayApi: [
      'False',
      'the cluster has no Gateway API, so a change is a plain rolling update: install its definitions',
    ],
    NoGateway: [
      'False',
      'there is no GatewayClass reconstruct and no spec.gateway, so a change is a plain rolling update: install dist/gateway, or name a Gateway',
    ],
    SwitchingToPods: ['False', 'there is no lifecycle any more: the requests are led to the pods again'],
  },
} as const;
