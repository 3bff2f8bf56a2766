import {
  gatewayKind,
  httpRouteKind,
  type ServicePublicationResource,
  servicePublicationKind,
} from '../../../../imports/index.js';
import {
  ConfigMap,
  EndpointSlice,
  type Found,
  frequentlyChanged,
  type LiveConfigMap,
  Node,
  type ObjectKind,
  optional,
  type Refer,
  Service,
} from '../../../runtime/index.js';
import {
  gatewayPart,
  type LiveAddressedNode,
  type LiveEndpointSlice,
  type LivePublishedService,
  nodePart,
  routePart,
  servicePart,
  slicePart,
} from '../addresses/live-objects.js';
import { placeKeys } from './place-keys.js';

/** The files of a publication, which change with each endpoint. */
export const owns = [frequentlyChanged(ConfigMap, ['data'])] as const;

/** Kinds that a cluster may not have, or that an operator for some namespaces may not read. */
export const sourceKinds = {
  gateway: optional(gatewayKind),
  httpRoute: optional(httpRouteKind),
  node: optional(Node as ObjectKind<LiveAddressedNode, 'Node'>),
} as const;

/** All objects of a kind. */
const all = 'all';

/** The sources of the addresses, and what others have published. */
export const reads = (refer: Refer<ServicePublicationResource>) => ({
  service: refer.named(Service as ObjectKind<LivePublishedService, 'Service'>, ({ spec }) => spec.service, servicePart),
  slices: refer.matchingLabels(
    EndpointSlice as ObjectKind<LiveEndpointSlice, 'EndpointSlice'>,
    ({ spec }) =>
      spec.service !== undefined && spec.addresses !== 'LoadBalancer'
        ? { labels: { 'kubernetes.io/service-name': spec.service } }
        : undefined,
    slicePart,
  ),
  nodes: refer.byIndex(
    sourceKinds.node,
    { indexFunc: () => [all], values: ({ spec }) => (spec.addresses === 'Nodes' ? [all] : []) },
    nodePart,
  ),
  gateway: refer.named(sourceKinds.gateway, ({ spec }) => spec.gateway, gatewayPart),
  httpRoute: refer.named(sourceKinds.httpRoute, ({ spec }) => spec.httpRoute, routePart),
  /** A route can have Gateways of other namespaces. */
  gateways: refer.byIndex(
    sourceKinds.gateway,
    { indexFunc: () => [all], values: ({ spec }) => (spec.httpRoute === undefined ? [] : [all]) },
    gatewayPart,
  ),
  configMaps: refer.eachNamed(
    ConfigMap,
    ({ spec }) => spec.targets.flatMap(({ file }) => file?.configMap ?? []),
    configMapPart,
  ),
  /** Publications of all namespaces with a place of this one, and this one itself. */
  rivals: refer.byIndex(servicePublicationKind, { indexFunc: placeKeys, values: placeKeys }, rivalPart),
});

/** The objects that `reads` finds. */
export type PublicationReads = Found<ReturnType<typeof reads>>;

/** A publication that may have a place of another one. */
export interface RivalPart {
  readonly namespace: string;
  readonly name: string;
  readonly creationTimestamp?: string | undefined;
  readonly keys: readonly string[];
}

function rivalPart(resource: ServicePublicationResource): RivalPart {
  const { namespace = '', name, creationTimestamp } = resource.metadata;
  return { namespace, name, creationTimestamp, keys: placeKeys(resource) };
}

/** Who controls a ConfigMap. */
export interface ConfigMapPart {
  readonly name: string;
  /** The UID and name of its controlling owner. */
  readonly controller?: { readonly uid: string; readonly text: string } | undefined;
  /** The publication that a person hands it over to. */
  readonly adoptBy?: string | undefined;
}

const adoptAnnotation = 'reconstruct.dev/adopt-by';

function configMapPart({ metadata }: LiveConfigMap): ConfigMapPart {
  const owner = metadata.ownerReferences?.find((one) => one.controller === true);
  return {
    name: metadata.name,
    controller: owner && { uid: owner.uid, text: `${owner.kind} ${owner.name}` },
    adoptBy: metadata.annotations?.[adoptAnnotation],
  };
}
