import {
  type AlgorithmResource,
  gatewayKind,
  type HTTPRouteResource,
  httpRouteKind,
} from '../../../../imports/index.js';
import { type GatewayRef, gatewayName, isGatewayOf, suffixedName } from '../../../../src/index.js';
import type { LiveObject, Outcome } from '../../../runtime/index.js';

/** The route of the requests of an Algorithm, according to the API server. */
export interface Traffic {
  /** Why no gateway can split the requests; undefined if one can. */
  readonly unsplit: 'NoGatewayApi' | 'NoGateway' | undefined;
  readonly gateway: GatewayRef;
  /** True if the gateway is in the namespace of the Algorithm, so that its Service can select the proxies. */
  readonly isHere: boolean;
  /** False if `spec.gateway` names the gateway: then another owner manages it. */
  readonly isOurs: boolean;
  readonly hasRoute: boolean;
  /** True if the gateway has accepted the route, in any generation. */
  readonly isTaken: boolean;
  /** Time of the acceptance, in milliseconds since 1970. */
  readonly takenAt: number;
  /** True if the gateway has accepted the current generation of the route. */
  readonly isSeen: boolean;
  /** Percentage of the requests that the route gives to the version on trial. */
  readonly weight: number;
}

interface Known extends Pick<Outcome<AlgorithmResource>, 'resource' | 'isServed'> {
  readonly route: HTTPRouteResource | undefined;
  readonly gatewayClass: LiveObject | undefined;
}

/** The gateway that may split the requests, and its current split. */
export function trafficOf({ resource, isServed, route, gatewayClass }: Known): Traffic {
  const { metadata, spec } = resource;
  const gateway = spec.gateway ?? { name: gatewayName };
  const isKnown = isServed(httpRouteKind) && isServed(gatewayKind);
  const isThere = spec.gateway !== undefined || gatewayClass !== undefined;
  const accepted = acceptanceOf(route, gateway);
  return {
    unsplit: isKnown ? (isThere ? undefined : 'NoGateway') : 'NoGatewayApi',
    gateway,
    isHere: isGatewayOf(metadata.namespace, gateway),
    isOurs: spec.gateway === undefined,
    hasRoute: route !== undefined,
    isTaken: accepted !== undefined,
    takenAt: Date.parse(accepted?.lastTransitionTime ?? ''),
    isSeen: accepted !== undefined && accepted.observedGeneration === generationOf(route),
    weight: weightIn(route, suffixedName(metadata.name, 'trial')),
  };
}

/** The `Accepted` condition of a gateway for a route, if it is True. */
function acceptanceOf(route: HTTPRouteResource | undefined, gateway: GatewayRef) {
  const parent = route?.status?.parents?.find(({ parentRef }) => parentRef.name === gateway.name);
  return parent?.conditions.find(({ type, status }) => type === 'Accepted' && status === 'True');
}

function generationOf(route: HTTPRouteResource | undefined): number | undefined {
  return (route as LiveObject | undefined)?.metadata.generation;
}

/** The weight in the last rule, which takes the requests that no variant takes. */
function weightIn(route: HTTPRouteResource | undefined, service: string): number {
  const backend = route?.spec?.rules?.at(-1)?.backendRefs?.find(({ name }) => name === service);
  return backend ? (backend.weight ?? 1) : 0;
}
