import { type AlgorithmResource, gatewayClassKind, gatewayKind, httpRouteKind } from '../../../../imports/index.js';
import { gatewayClassName } from '../../../../src/index.js';
import {
  ConfigMap,
  ControllerRevision,
  Deployment,
  type Found,
  HorizontalPodAutoscaler,
  optional,
  PodDisruptionBudget,
  type Refer,
  Service,
  shared,
} from '../../../runtime/index.js';
import { hostReads } from '../hosts/declarations.js';

/** The route of the requests. */
export const route = optional(httpRouteKind);

/** The kinds of the objects of a trial. */
export const owns = [
  ControllerRevision,
  ConfigMap,
  Service,
  Deployment,
  PodDisruptionBudget,
  HorizontalPodAutoscaler,
  route,
  optional(shared(gatewayKind)),
] as const;

/** The objects of the `algorithm` controller that a trial reads. */
export const watchesSiblings = [Deployment, Service] as const;

/** The GatewayClass, which shows that the cluster can run proxies per namespace, and the claims on the host. */
export const reads = (refer: Refer<AlgorithmResource>) => ({
  gatewayClass: refer.named(optional(gatewayClassKind), () => gatewayClassName),
  ...hostReads(refer),
});

/** The objects that `reads` finds. */
export type TrialReads = Found<ReturnType<typeof reads>>;
