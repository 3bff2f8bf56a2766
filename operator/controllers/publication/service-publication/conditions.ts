/** Condition types and reasons of a ServicePublication. Each reason has its status and its default message. */
export const conditions = {
  /** Whether each target has the addresses. */
  Published: {
    UpToDate: ['True', 'Each target has the addresses'],
    Publishing: ['Unknown', 'Addresses are being published', 'Wait. The message names the targets and what changes.'],
    Withdrawing: [
      'Unknown',
      'Records of a place that is no longer in the spec are being removed',
      'Wait. If the server never returns, annotate the publication with `reconstruct.dev/abandon-targets` and the place of `status.targets`, and remove the records by hand.',
    ],
    DryRun: [
      'Unknown',
      'Nothing is written, because the policy is DryRun',
      'Compare the changes in the message, and set `policy: Sync` to write them.',
    ],
    Conflict: [
      'False',
      'Another owner has a name, key or ConfigMap',
      'Choose another name, or let the owner in the message give it up. To take over records, annotate the publication with `reconstruct.dev/take-over-records` and the exact owner, or `unowned`. See [ownership](docs/kinds/publication/README.md#understand-ownership).',
    ],
    Duplicate: [
      'False',
      'An older ServicePublication has the place',
      'Remove the target from one of the two publications.',
    ],
    InvalidTarget: ['False', 'A target cannot be published as the spec has it', 'Follow the advice in the message.'],
    TargetUnavailable: [
      'False',
      'A target does not answer',
      'Check the server, the network, the Secret and `--allowed-addresses`. The message has the error. What was published stays. Other targets go on.',
    ],
    CallFailed: [
      'False',
      'A target refuses the change',
      'Fix the cause in the message. It has the words of the server, such as NOTAUTH for a wrong key or clock. The operator tries again.',
    ],
    NoEffect: [
      'False',
      'A target accepted the change, and does not show it',
      'Check that no other record excludes it, such as a CNAME, and that the server which answers is the primary one.',
    ],
  },
  /** Whether Pods serve on for as long as clients may use their addresses. Present for `addresses: Endpoints`. */
  Drained: {
    LongEnough: ['True', 'Terminating Pods serve on until no client has their addresses'],
    PodsUnknown: ['Unknown', 'It is not known how the Pods end', 'Wait. The message has the error, if there is one.'],
    HookUnknown: [
      'Unknown',
      'A preStop hook is no sleep, so its time is not known',
      'Check that the hook takes at least `status.drainSeconds`, or use `preStop.sleep`.',
    ],
    DrainTooShort: [
      'False',
      'Pods end while clients may still use their addresses',
      'Set `lifecycle.preStop.sleep.seconds` of the container to `status.drainSeconds`, and `terminationGracePeriodSeconds` of the Pod higher. See [drain](docs/kinds/publication/README.md#let-pods-drain).',
    ],
  },
  /** Whether the list of addresses is the current one. */
  Fresh: {
    Current: ['True', 'The list of addresses is current'],
    ServiceNotFound: ['False', 'The Service does not exist', 'Create the Service, or correct `service`.'],
    GatewayNotFound: ['False', 'The Gateway does not exist', 'Create the Gateway, or correct `gateway`.'],
    HTTPRouteNotFound: ['False', 'The HTTPRoute does not exist', 'Create the HTTPRoute, or correct `httpRoute`.'],
    NoReadyEndpoint: [
      'False',
      'The Service has no ready endpoint',
      'Check the Pods and the selector of the Service. The last known addresses stay published, unless `onEmpty` is Withdraw.',
    ],
    NoAddress: [
      'False',
      'The source has no address',
      'Check the controller of the load balancer or Gateway. The last known addresses stay published, unless `onEmpty` is Withdraw.',
    ],
    EndpointsStale: [
      'False',
      'The EndpointSlices name a Pod that does not exist',
      'Check kube-controller-manager, which writes EndpointSlices.',
    ],
    TooManyAddresses: [
      'False',
      'The Service has more addresses than can be published',
      'Publish the addresses of a load balancer or of nodes instead.',
    ],
    SourceUnknown: [
      'False',
      'The operator cannot read the source',
      'Install the Gateway API, or let the operator watch all namespaces. What is published stays.',
    ],
    LookupFailed: [
      'False',
      'The host name of the load balancer has no address',
      'Check the host name and the DNS servers of the operator. The last known addresses stay published.',
    ],
  },
} as const;
