import { type AddressPort, isIpv6, type Subset } from '../addresses/subsets.js';

/** Records that a name should have. */
export interface WantedRecords {
  /** Absolute, in ASCII. */
  readonly name: string;
  readonly type: 'A' | 'AAAA' | 'CNAME' | 'SRV';
  /** In their canonical form, in alphabetical order. */
  readonly values: readonly string[];
}

/** What is published under names. */
export interface PublishedAddresses {
  readonly subsets: readonly Subset[];
  /** The host name of a load balancer without addresses. */
  readonly host?: string | undefined;
  /** The ports of the host. */
  readonly hostPorts?: readonly AddressPort[] | undefined;
}

/**
 * The records of one name. A host becomes a CNAME, except at the zone itself, which must have its SOA: there it becomes its
 * addresses.
 */
export function wantedRecords(
  name: string,
  zone: string,
  { subsets, host }: PublishedAddresses,
): readonly WantedRecords[] {
  if (host !== undefined && name !== zone) return [{ name, type: 'CNAME', values: [host] }];
  const all = subsets.flatMap(({ addresses }) => addresses);
  const records = [
    { name, type: 'A' as const, values: all.filter((one) => !isIpv6(one)).toSorted() },
    { name, type: 'AAAA' as const, values: all.filter(isIpv6).toSorted() },
  ];
  return records.filter(({ values }) => values.length > 0);
}

/** The name of the SRV records of a port. @param protocol in any case */
export function srvName(name: string, port: string, protocol: string): string {
  return `_${port}._${protocol.toLowerCase()}.${name}`;
}

/** The SRV records of a named port: one for each number that it has. Empty if no address has the port. */
export function wantedServices(
  name: string,
  port: string,
  { subsets, host, hostPorts = [] }: PublishedAddresses,
): readonly WantedRecords[] {
  const ports = [...subsets.flatMap((subset) => subset.ports), ...(host === undefined ? [] : hostPorts)];
  const own = ports.filter((one) => one.name === port);
  const protocols = [...new Set(own.map(({ protocol }) => protocol))].toSorted();
  return protocols.map((protocol) => {
    const numbers = own.filter((one) => one.protocol === protocol).map((one) => `0 0 ${one.port} ${name}`);
    return { name: srvName(name, port, protocol), type: 'SRV', values: [...new Set(numbers)].toSorted() };
  });
}
