import type { GatewayResource, HTTPRouteResource } from '../../../../imports/index.js';
import type { LiveObject } from '../../../runtime/index.js';
import type { AddressPort } from './subsets.js';

/** A live Service as far as its addresses go. */
export interface LivePublishedService extends LiveObject {
  readonly spec?: {
    readonly type?: string;
    readonly externalTrafficPolicy?: string;
    readonly ports?: readonly {
      readonly name?: string;
      readonly port: number;
      readonly nodePort?: number;
      readonly protocol?: string;
    }[];
  };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
  };
}

/** The part of a Service that its addresses follow from. */
export interface ServicePart {
  readonly name: string;
  readonly type: string;
  /** Whether only nodes with a ready endpoint answer at its node ports. */
  readonly isLocal: boolean;
  readonly ports: readonly (AddressPort & { readonly nodePort?: number | undefined })[];
  readonly ingress: readonly { readonly ip?: string; readonly hostname?: string }[];
}

/** The part of a live Service. */
export function servicePart({ metadata, spec, status }: LivePublishedService): ServicePart {
  const ports = (spec?.ports ?? []).map(({ name = '', port, nodePort, protocol = 'TCP' }) => ({
    ...{ name, port, protocol },
    ...(nodePort !== undefined && { nodePort }),
  }));
  const isLocal = spec?.externalTrafficPolicy === 'Local';
  const ingress = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ({
    ...(ip !== undefined && { ip }),
    ...(hostname !== undefined && { hostname }),
  }));
  return { name: metadata.name, type: spec?.type ?? 'ClusterIP', isLocal, ports, ingress };
}

/** A live EndpointSlice. */
export interface LiveEndpointSlice extends LiveObject {
  readonly addressType?: string;
  readonly endpoints?:
    | readonly {
        readonly addresses?: readonly string[];
        readonly conditions?: { readonly ready?: boolean; readonly serving?: boolean; readonly terminating?: boolean };
        readonly nodeName?: string;
        readonly targetRef?: { readonly kind?: string; readonly name?: string };
      }[]
    | null;
  readonly ports?: readonly { readonly name?: string; readonly port?: number; readonly protocol?: string }[] | null;
}

/** The ready endpoints of an EndpointSlice. */
export interface SlicePart {
  readonly ports: readonly AddressPort[];
  readonly endpoints: readonly {
    readonly addresses: readonly string[];
    readonly node?: string;
    /** The name of the Pod. Undefined for an endpoint that is no Pod. */
    readonly pod?: string;
  }[];
}

/**
 * The part of a live EndpointSlice. A terminating endpoint is withdrawn at once, although it may still serve: no client
 * should find it any more.
 */
export function slicePart({ addressType, endpoints, ports }: LiveEndpointSlice): SlicePart {
  // Host names of type FQDN are no addresses.
  const isAddress = addressType === 'IPv4' || addressType === 'IPv6';
  const ready = (isAddress ? (endpoints ?? []) : []).filter(
    ({ conditions }) => conditions?.ready !== false && conditions?.terminating !== true,
  );
  return {
    ports: (ports ?? []).flatMap(({ name = '', port, protocol = 'TCP' }) =>
      port === undefined ? [] : [{ name, port, protocol }],
    ),
    endpoints: ready.map(({ addresses = [], nodeName, targetRef }) => ({
      addresses,
      ...(nodeName !== undefined && { node: nodeName }),
      ...(targetRef?.kind === 'Pod' && targetRef.name !== undefined && { pod: targetRef.name }),
    })),
  };
}

/** A live Node as far as its addresses go. */
export interface LiveAddressedNode extends LiveObject {
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** The part of a Node that decides whether it is published. */
export interface NodePart {
  readonly name: string;
  /** External addresses, or internal ones if it has none. Empty for a node that must not be published. */
  readonly addresses: readonly string[];
}

const excluded = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** The part of a live Node. */
export function nodePart({ metadata, status }: LiveAddressedNode): NodePart {
  const isReady = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
  const isExcluded = metadata.labels !== undefined && Object.hasOwn(metadata.labels, excluded);
  const of = (type: string) => (status?.addresses ?? []).filter((one) => one.type === type).map((one) => one.address);
  const external = of('ExternalIP');
  const addresses = external.length > 0 ? external : of('InternalIP');
  return {
    name: metadata.name,
    addresses: isReady && !isExcluded && metadata.deletionTimestamp === undefined ? addresses : [],
  };
}

/** The part of a Gateway that is published. */
export interface GatewayPart {
  readonly namespace: string;
  readonly name: string;
  readonly addresses: readonly { readonly type: string; readonly value: string }[];
  /** The host names of its listeners. */
  readonly hostnames: readonly string[];
  readonly ports: readonly AddressPort[];
}

/** The part of a live Gateway. */
export function gatewayPart({ metadata, spec, status }: GatewayResource): GatewayPart {
  const hostnames = spec.listeners.flatMap(({ hostname }) => (hostname ? [hostname] : []));
  return {
    ...{ namespace: metadata.namespace ?? '', name: metadata.name },
    addresses: (status?.addresses ?? []).map(({ type, value }) => ({ type, value })),
    hostnames: [...new Set(hostnames)].toSorted(),
    ports: spec.listeners.map(({ name, port }) => ({ name, port, protocol: 'TCP' })),
  };
}

/** The part of an HTTPRoute that is published. */
export interface RoutePart {
  readonly hostnames: readonly string[];
  /** The Gateways that accepted the route. */
  readonly gateways: readonly { readonly namespace: string; readonly name: string }[];
}

/**
 * The part of a live HTTPRoute. A route can name any Gateway, so only those that accepted it count.
 */
export function routePart({ metadata, spec, status }: HTTPRouteResource): RoutePart {
  const accepted = (status?.parents ?? []).filter(({ conditions }) =>
    conditions?.some((one) => one.type === 'Accepted' && one.status === 'True'),
  );
  const gateways = accepted.flatMap(({ parentRef: { group, kind, name, namespace = metadata.namespace ?? '' } }) =>
    (group ?? 'gateway.networking.k8s.io') === 'gateway.networking.k8s.io' && (kind ?? 'Gateway') === 'Gateway'
      ? [{ namespace, name }]
      : [],
  );
  return { hostnames: [...(spec.hostnames ?? [])].toSorted(), gateways };
}
