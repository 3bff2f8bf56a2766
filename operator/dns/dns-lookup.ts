import type { Port } from '../runtime/ports/external-port.js';

/** A host name, such as the one of a load balancer. */
export interface LookupQuestion {
  /** Absolute, with or without a final dot. */
  readonly host: string;
}

/** The addresses of a host name. Both lists are empty if the name does not exist or has none. */
export interface LookupAnswer {
  /** IPv4 addresses, in alphabetical order. */
  readonly ipv4: readonly string[];
  /** IPv6 addresses in their short form, in alphabetical order. */
  readonly ipv6: readonly string[];
}

/**
 * Addresses of host names, from the DNS servers of the operator's Pod. An answer stays in memory until the TTL of its records
 * is over, but between 5 seconds and one hour. So a poll may ask every 5 seconds. An answer has no TTL, because the TTL of a
 * cached record changes with each query.
 */
export const dnsLookup: Port<LookupQuestion, LookupAnswer> = { name: 'reconstruct/dns-lookup' };
