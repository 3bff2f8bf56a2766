import { mostAddresses } from '../../../../crds/index.js';
import type { ServicePublicationResource } from '../../../../imports/index.js';
import {
  endpointAddresses,
  gatewayAddresses,
  loadBalancerAddresses,
  nodeAddresses,
  routeAddresses,
} from '../addresses/found-addresses.js';
import { addressesIn, type FoundAddresses, type ListProblem, limited, noAddresses } from '../addresses/subsets.js';
import type { PublishedAddresses } from '../targets/wanted-records.js';
import { sourceKinds } from './declarations.js';
import type { StableView } from './view.js';

/**
 * The addresses to publish. `current`: the source has them. `kept`: the last known ones, because the source has none or is
 * not known. `unknown`: there are none to keep, so that what is published stays as it is. `withdrawn`: none are to be
 * published.
 */
export interface PublishedList extends PublishedAddresses {
  readonly state: 'current' | 'kept' | 'unknown' | 'withdrawn';
  readonly hostnames?: readonly string[] | undefined;
  /** Why the list is not current. */
  readonly problem?: ListProblem | undefined;
}

/** The addresses to publish, without those of a host that is not looked up yet. */
export function publishedList(view: StableView): PublishedList {
  const found = foundAddresses(view);
  const { status, spec } = view.resource;
  const { hostnames, problem, host, hostPorts } = found;
  if (host !== undefined) {
    const subsets = status?.host === host ? (status.subsets ?? []) : [];
    return { state: 'current', subsets, host, hostPorts, hostnames, problem };
  }
  if (found.subsets.length > 0) {
    const count = addressesIn(found.subsets).length;
    return { state: 'current', subsets: limited(found.subsets), hostnames, problem: problem ?? tooMany(count) };
  }
  if (spec.onEmpty === 'Withdraw' && !found.isUnknown) return { state: 'withdrawn', subsets: [], hostnames, problem };
  const { subsets = [], host: lastHost } = status ?? {};
  const isEmpty = subsets.length === 0 && lastHost === undefined;
  const hostPortsBefore = subsets[0]?.ports;
  return {
    state: isEmpty ? 'unknown' : 'kept',
    subsets,
    host: lastHost,
    hostPorts: hostPortsBefore,
    hostnames,
    problem,
  };
}

/** The addresses that the source of a publication has now. */
function foundAddresses(view: StableView): FoundAddresses {
  const { spec } = view.resource;
  if (spec.service !== undefined) return serviceAddresses(view, spec.service);
  if (spec.gateway !== undefined) return ofGateway(view, spec.gateway);
  return ofRoute(view, spec.httpRoute ?? '');
}

function serviceAddresses({ reads, resource, isServed }: StableView, name: string): FoundAddresses {
  const { service, slices, nodes } = reads;
  if (!service) return noAddresses('ServiceNotFound', `Service ${name} does not exist`);
  const kind = resource.spec.addresses;
  if (kind === 'Endpoints') return endpointAddresses(service, slices);
  if (kind === 'LoadBalancer') return loadBalancerAddresses(service);
  if (isServed(sourceKinds.node)) return nodeAddresses(service, slices, nodes);
  return noAddresses('SourceUnknown', 'The operator may not read nodes, because it is limited to some namespaces');
}

function ofGateway({ reads: { gateway }, isServed }: StableView, name: string): FoundAddresses {
  if (!isServed(sourceKinds.gateway)) return notServed('Gateways');
  if (gateway) return gatewayAddresses([gateway], gateway.hostnames);
  return noAddresses('GatewayNotFound', `Gateway ${name} does not exist`);
}

function ofRoute({ reads: { httpRoute, gateways }, isServed }: StableView, name: string): FoundAddresses {
  if (!isServed(sourceKinds.httpRoute) || !isServed(sourceKinds.gateway)) return notServed('HTTPRoutes and Gateways');
  if (httpRoute) return routeAddresses(name, httpRoute, gateways);
  return noAddresses('HTTPRouteNotFound', `HTTPRoute ${name} does not exist`);
}

function notServed(what: string): FoundAddresses {
  return noAddresses('SourceUnknown', `The API server does not serve ${what}, or the operator may not read them`);
}

function tooMany(count: number): ListProblem | undefined {
  if (count <= mostAddresses) return undefined;
  return { reason: 'TooManyAddresses', message: `The first ${mostAddresses} of ${count} addresses are published` };
}

/** What a publication publishes last, by its status. */
export function lastPublished({ status }: ServicePublicationResource): PublishedAddresses {
  return { subsets: status?.subsets ?? [], host: status?.host };
}
