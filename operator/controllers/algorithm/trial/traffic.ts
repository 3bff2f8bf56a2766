import {
  type AlgorithmResource,
  gatewayKind,
  type HTTPRouteResource,
  httpRouteKind,
} from '../../../../imports/index.js';
import { type GatewayRef, gatewayName, isGatewayOf, suffixedName } from '../../../../src/index.js';
import type { LiveObject, Outcome } from '../../../runtime/index.js';

/** Where the requests of an Algorithm go, as far as the API server knows. */
export interface Traffic {
  /** Why nothing can split them; undefined where something can. */
  readonly unsplit: 'NoGatewayApi' | 'NoGateway' | undefined;
  readonly gateway: GatewayRef;
  /** It is in the namespace of the Algorithm, whose Service can lead to its proxies. */
  readonly isHere: boolean;
  /** False where `spec.gateway` names it: then it is somebody else's. */
  readonly isOurs: boolean;
  readonly hasRoute: boolean;
  /** The gateway has taken the route up, in whatever form. */
  readonly isTaken: boolean;
  /** Since when it has, in milliseconds since 1970. */
  readonly takenAt: number;
  /** It has seen the route as it is now. */
  readonly isSeen: boolean;
  /** Per cent of the requests that the route gives to the version on trial. */
  readonly weight: number;
}

interface Known extends Pick<Outcome<AlgorithmResource>, 'resource' | 'isServed'> {
  readonly route: HTTPRouteResource | undefined;
  readonly gatewayClass: LiveObject | undefined;
}

/** What may split the requests, and how it does at present. */
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

/** What a gateway says of a route that it took up. */
function acceptanceOf(route: HTTPRouteResource | undefined, gateway: GatewayRef) {
  const parent = route?.status?.parents?.find(({ parentRef }) => parentRef.name === gateway.name);
  return parent?.conditions.find(({ type, status }) => type === 'Accepted' && status === 'True');
}

function generationOf(route: HTTPRouteResource | undefined): number | undefined {
  return (route as LiveObject | undefined)?.metadata.generation;
}

/** Of the rule that takes what no variant does, which is the last one. */
function weightIn(route: HTTPRouteResource | undefined, service: string): number {
  const backend = route?.spec?.rules?.at(-1)?.backendRefs?.find(({ name }) => name === service);
  return backend ? (backend.weight ?? 1) : 0;
}
