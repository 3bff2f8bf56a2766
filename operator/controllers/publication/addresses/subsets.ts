import { mostAddresses } from '../../../../crds/index.js';

/** A port of addresses. */
export interface AddressPort {
  /** Empty for the only port of a Service without a name. */
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
}

/** Addresses with the same ports. */
export interface Subset {
  /** In their canonical form, in alphabetical order. */
  readonly addresses: readonly string[];
  /** By name, then by number. */
  readonly ports: readonly AddressPort[];
}

/** One address with its ports. */
export interface PortedAddress {
  readonly address: string;
  readonly ports: readonly AddressPort[];
}

/** Why a list of addresses is empty or not current. */
export interface ListProblem {
  readonly reason:
    | 'ServiceNotFound'
    | 'GatewayNotFound'
    | 'HTTPRouteNotFound'
    | 'NoReadyEndpoint'
    | 'NoAddress'
    | 'EndpointsStale'
    | 'TooManyAddresses'
    | 'SourceUnknown'
    | 'LookupFailed';
  readonly message: string;
}

/** The addresses that a source has now. */
export interface FoundAddresses {
  readonly subsets: readonly Subset[];
  /** The host name of a load balancer without addresses, in lower case without a final dot. */
  readonly host?: string | undefined;
  /** The ports of the host. */
  readonly hostPorts?: readonly AddressPort[] | undefined;
  /** The host names of a Gateway or HTTPRoute. Undefined for a Service. */
  readonly hostnames?: readonly string[] | undefined;
  readonly problem?: ListProblem | undefined;
  /** Whether nothing is known about the source, so that an empty list proves nothing. */
  readonly isUnknown?: boolean | undefined;
}

/** A list that is empty or not known. */
export function noAddresses(reason: ListProblem['reason'], message: string): FoundAddresses {
  return { subsets: [], problem: { reason, message }, isUnknown: reason === 'SourceUnknown' };
}

/** True for an IPv6 address, false for one of IPv4. */
export function isIpv6(address: string): boolean {
  return address.includes(':');
}

/** The canonical form of an IP address. Undefined if the text is none. */
export function canonicalAddress(text: string): string | undefined {
  if (/^\d+(\.\d+){3}$/.test(text)) return text.split('.').every((part) => Number(part) < 256) ? text : undefined;
  const isAddress = /^[\da-f:.]+$/i.test(text) && text.includes(':') && URL.canParse(`http://[${text}]`);
  // The URL parser writes the canonical form of RFC 5952.
  return isAddress ? new URL(`http://[${text}]`).hostname.slice(1, -1) : undefined;
}

/** Groups addresses by their ports. Each address is there once, with the ports of all of its entries. */
export function subsetsOf(all: readonly PortedAddress[]): readonly Subset[] {
  const byAddress = new Map<string, AddressPort[]>();
  for (const { address, ports } of all) {
    const canonical = canonicalAddress(address);
    if (canonical !== undefined) byAddress.set(canonical, [...(byAddress.get(canonical) ?? []), ...ports]);
  }
  const groups = new Map<string, { addresses: string[]; ports: readonly AddressPort[] }>();
  for (const [address, found] of [...byAddress].toSorted(byText)) {
    const ports = distinctPorts(found);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { addresses: [], ports };
    group.addresses.push(address);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The groups of ports that the status has room for. */
const mostSubsets = 32;

/** The first addresses of all, at most as many as can be published. */
export function limited(subsets: readonly Subset[]): readonly Subset[] {
  const kept = new Set(addressesIn(subsets).slice(0, mostAddresses));
  const shortened = subsets.map(({ addresses, ports }) => ({
    addresses: addresses.filter((one) => kept.has(one)),
    ports,
  }));
  return shortened.filter(({ addresses }) => addresses.length > 0).slice(0, mostSubsets);
}

/** All addresses, in alphabetical order. */
export function addressesIn(subsets: readonly Subset[]): readonly string[] {
  return subsets.flatMap(({ addresses }) => addresses).toSorted();
}

/** The numbers of a port, by the address. An address without the port is not there. */
export function addressesWithPort(
  subsets: readonly Subset[],
  port: string | number | undefined,
): readonly { readonly address: string; readonly port: number }[] {
  const all = subsets.flatMap(({ addresses, ports }) => {
    const number = typeof port === 'number' ? port : portNumber(ports, port);
    return number === undefined ? [] : addresses.map((address) => ({ address, port: number }));
  });
  return all.toSorted((a, b) => (a.address < b.address ? -1 : 1));
}

/** @param name @default - the only port, or the only one with TCP */
function portNumber(ports: readonly AddressPort[], name: string | undefined): number | undefined {
  if (name !== undefined) {
    const text = /^[1-9]\d*$/.test(name) ? Number(name) : undefined;
    return text ?? ports.find((port) => port.name === name)?.port;
  }
  const tcp = ports.filter(({ protocol }) => protocol === 'TCP');
  const [only, ...others] = tcp.length > 0 ? tcp : ports;
  return others.length === 0 ? only?.port : undefined;
}

function distinctPorts(ports: readonly AddressPort[]): readonly AddressPort[] {
  const byKey = new Map(
    ports.map(({ name, port, protocol }) => [
      `${name} ${String(port).padStart(5)} ${protocol}`,
      { name, port, protocol },
    ]),
  );
  return [...byKey].toSorted(byText).map(([, port]) => port);
}

function byText(one: readonly [string, unknown], other: readonly [string, unknown]): number {
  return one[0] < other[0] ? -1 : 1;
}
