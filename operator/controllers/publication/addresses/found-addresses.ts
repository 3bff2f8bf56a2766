import type { GatewayPart, NodePart, RoutePart, ServicePart, SlicePart } from './live-objects.js';
import { type AddressPort, type FoundAddresses, noAddresses, type PortedAddress, subsetsOf } from './subsets.js';

/** The addresses of the ready Pods of a Service. */
export function endpointAddresses(service: ServicePart, slices: readonly SlicePart[]): FoundAddresses {
  const all = slices.flatMap(({ endpoints, ports }) =>
    endpoints.flatMap(({ addresses }) => addresses.map((address): PortedAddress => ({ address, ports }))),
  );
  if (all.length > 0) return { subsets: subsetsOf(all) };
  return noAddresses('NoReadyEndpoint', `Service ${service.name} has no ready endpoint`);
}

/** The addresses of the load balancer of a Service. */
export function loadBalancerAddresses(service: ServicePart): FoundAddresses {
  const ports = portsOf(service);
  const all = service.ingress.flatMap(({ ip }): PortedAddress[] => (ip ? [{ address: ip, ports }] : []));
  if (all.length > 0) return { subsets: subsetsOf(all) };
  const host = service.ingress.find(({ hostname }) => hostname)?.hostname;
  if (host !== undefined) return { subsets: [], host: hostName(host), hostPorts: ports };
  const isBalanced = service.type === 'LoadBalancer';
  const why = isBalanced ? 'has no address of a load balancer yet' : `is of type ${service.type}, not LoadBalancer`;
  return noAddresses('NoAddress', `Service ${service.name} ${why}`);
}

/** The addresses of nodes that answer at the node ports of a Service. */
export function nodeAddresses(
  service: ServicePart,
  slices: readonly SlicePart[],
  nodes: readonly NodePart[],
): FoundAddresses {
  const ports = service.ports.flatMap(({ name, nodePort, protocol }): AddressPort[] =>
    nodePort === undefined ? [] : [{ name, port: nodePort, protocol }],
  );
  if (ports.length === 0) return noAddresses('NoAddress', `Service ${service.name} has no node port`);
  const serving = new Set(slices.flatMap(({ endpoints }) => endpoints.flatMap(({ node }) => node ?? [])));
  // Without a ready endpoint, no node leads anywhere.
  if (serving.size === 0) return noAddresses('NoReadyEndpoint', `Service ${service.name} has no ready endpoint`);
  const answering = nodes.filter(({ name }) => !service.isLocal || serving.has(name));
  const all = answering.flatMap(({ addresses }) => addresses.map((address) => ({ address, ports })));
  if (all.length > 0) return { subsets: subsetsOf(all) };
  return noAddresses('NoAddress', `No ready node with an address answers for Service ${service.name}`);
}

/** The addresses of Gateways, under host names. */
export function gatewayAddresses(gateways: readonly GatewayPart[], hostnames: readonly string[]): FoundAddresses {
  const addresses = gateways.flatMap((gateway) =>
    gateway.addresses.map(({ type, value }) => ({ type, value, ports: gateway.ports })),
  );
  const all = addresses.filter(({ type }) => type === 'IPAddress');
  const names = { hostnames: [...new Set(hostnames)].toSorted() };
  if (all.length > 0)
    return { subsets: subsetsOf(all.map(({ value, ports }) => ({ address: value, ports }))), ...names };
  const [host] = addresses.filter(({ type }) => type === 'Hostname');
  if (host) return { subsets: [], host: hostName(host.value), hostPorts: host.ports, ...names };
  const who = gateways.map(({ namespace, name }) => `${namespace}/${name}`).join(', ');
  return { ...noAddresses('NoAddress', `Gateway ${who} has no address in its status`), ...names };
}

/** The addresses of the Gateways that accepted an HTTPRoute. A route without host names has those of the listeners. */
export function routeAddresses(name: string, route: RoutePart, gateways: readonly GatewayPart[]): FoundAddresses {
  const own = gateways.filter((gateway) =>
    route.gateways.some((one) => one.namespace === gateway.namespace && one.name === gateway.name),
  );
  const { hostnames } = route;
  if (own.length > 0)
    return gatewayAddresses(own, hostnames.length > 0 ? hostnames : own.flatMap((gateway) => gateway.hostnames));
  const names = hostnames.length > 0 ? { hostnames } : {};
  return { ...noAddresses('NoAddress', `No Gateway has accepted HTTPRoute ${name}`), ...names };
}

function portsOf({ ports }: ServicePart): readonly AddressPort[] {
  return ports.map(({ name, port, protocol }) => ({ name, port, protocol }));
}

function hostName(text: string): string {
  return text.toLowerCase().replace(/\.$/, '');
}
