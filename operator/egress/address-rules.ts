import { BlockList, isIP } from 'node:net';

/** Networks that no allow-list opens: they lead to the operator's own host, to its node, or to more than one host. */
const refused: readonly {
  readonly what: string;
  readonly ipv4?: readonly string[];
  readonly ipv6?: readonly string[];
}[] = [
  { what: 'loopback', ipv4: ['127.0.0.0/8'], ipv6: ['::1/128'] },
  { what: 'link-local', ipv4: ['169.254.0.0/16'], ipv6: ['fe80::/10'] },
  { what: 'unspecified', ipv4: ['0.0.0.0/8'], ipv6: ['::/128'] },
  { what: 'multicast or broadcast', ipv4: ['224.0.0.0/4', '255.255.255.255/32'], ipv6: ['ff00::/8'] },
  // Metadata services of clouds outside of the link-local networks.
  { what: 'a metadata service', ipv4: ['100.100.100.200/32', '168.63.129.16/32'], ipv6: ['fd00:ec2::254/128'] },
];

const lists = refused.map(({ what, ipv4 = [], ipv6 = [] }) => {
  const list = new BlockList();
  for (const network of ipv4) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), 'ipv4'); // also as IPv4-mapped IPv6 addresses
    for (const [prefix, length] of embeddings(address)) list.addSubnet(prefix, length + Number(bits), 'ipv6');
  }
  for (const network of ipv6) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), 'ipv6');
  }
  return { what, list };
});

/** IPv6 prefixes that lead to an IPv4 address: NAT64, 6to4 and IPv4-compatible ones, with their lengths. */
function embeddings(ipv4: string): readonly (readonly [prefix: string, length: number])[] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  const high = ((a << 8) | b).toString(16);
  const low = ((c << 8) | d).toString(16);
  return [
    [`64:ff9b::${high}:${low}`, 96],
    [`2002:${high}:${low}::`, 16],
    [`::${high}:${low}`, 96],
  ];
}

/** Why no operator connects to an IP address: loopback, for example. Undefined if it may. @param address with or without zone */
export function refusalOf(address: string): string | undefined {
  const [ip = ''] = address.split('%'); // the zone of a link-local address
  const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4';
  return lists.find(({ list }) => list.check(ip, family))?.what;
}

/** One entry of an allow-list. */
export interface AddressRule {
  /** @param host a name in lower case without a final dot, or an IP address without brackets */
  readonly allows: (host: string) => boolean;
}

const name = /^(\*\.)?([a-z0-9]([-a-z0-9]*[a-z0-9])?\.)*[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/**
 * An entry of an allow-list: a host name, `*.` and a domain for all names below it, an IP address, or a network.
 * @throws {Error} with what is expected
 */
export function addressRule(entry: string): AddressRule {
  const [address = '', bits, more] = entry.split('/');
  const family = isIP(address);
  if (family !== 0 && more === undefined) return networkRule(entry, address, bits ?? (family === 6 ? '128' : '32'));
  const isNumeric = /^[\d.]+$/.test(entry); // a name of digits would be an IPv4 address in another form
  if (!name.test(entry) || isNumeric)
    throw new Error('a host name, *.DOMAIN, an IP address or a network such as 10.0.0.0/8');
  if (!entry.startsWith('*.')) return { allows: (host) => host === entry };
  const domain = entry.slice(1);
  return { allows: (host) => host.endsWith(domain) && host.length > domain.length };
}

function networkRule(entry: string, address: string, bits: string): AddressRule {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const length = Number(bits);
  if (!/^\d+$/.test(bits) || length > (family === 'ipv6' ? 128 : 32))
    throw new Error(`a network such as 10.0.0.0/8, not ${entry}`);
  const why = length > 0 && refusalOf(address);
  if (why) throw new Error(`an address that resources may name; ${address} is ${why}`);
  const list = new BlockList();
  list.addSubnet(address, length, family);
  return { allows: (host) => isIP(host) !== 0 && list.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4') };
}
