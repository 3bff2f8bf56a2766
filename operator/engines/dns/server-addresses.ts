import { lookup as lookUp } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { CallError } from '../../runtime/ports/external-call.js';

/** Whether the operator may connect to an IP address. */
export type AddressCheck = (address: string) => boolean;

/** Addresses of this machine and of its link, and those of no single machine. */
const reserved = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  reserved.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  reserved.addSubnet(network, prefix, 'ipv6');

/** Whether an address belongs to another machine. Without this check a user could reach programs beside the operator. */
export const isRemote: AddressCheck = (address) => !reserved.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * The lookup of a connection that never goes to an address that fails the check.
 * @throws {CallError} at once if the host is such an address
 */
export function checkedLookup(host: string, mayConnect: AddressCheck): LookupFunction {
  const refusal = (address: string) =>
    new CallError('terminal', `server: Invalid value: ${JSON.stringify(host)}: ${address} must be a permitted address`);
  if (isIP(host) !== 0 && !mayConnect(host)) throw refusal(host);
  return (name, options, callback) =>
    lookUp(name, { ...options, all: true }, (error, addresses) => {
      const denied = addresses?.find(({ address }) => !mayConnect(address));
      const [first] = addresses ?? [];
      if (error || denied || !first) return callback(error ?? refusal(denied?.address ?? name), '');
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
}
