import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { dnsLookup, type LookupAnswer } from '../../dns/dns-lookup.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';

/** Seconds for which an answer stays in memory, whatever its TTL. */
const ttls = { least: 5, most: 3_600 };
/** Names that are remembered. */
const most = 4_096;

/** An address with the seconds for which it may be kept. */
interface Addressed {
  readonly address: string;
  readonly ttl: number;
}

/** A part of the resolver of Node.js. */
export interface HostResolver {
  resolve4(host: string, options: { readonly ttl: true }): Promise<readonly Addressed[]>;
  resolve6(host: string, options: { readonly ttl: true }): Promise<readonly Addressed[]>;
}

/** What the source of host names needs. */
export interface HostLookupOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** @default - the DNS servers of this machine */
  readonly resolver?: HostResolver;
}

interface Kept {
  /** Monotonic. */
  readonly until: number;
  readonly answer: LookupAnswer;
}

/** Looks host names up at the DNS servers of the operator's machine, and keeps answers until their TTL is over. */
export function hostLookupSource({ clock, resolver = newResolver() }: HostLookupOptions): Provided {
  const kept = new Map<string, Kept>();
  const asked = new Map<string, Promise<Kept>>();
  const lookUp = async (host: string): Promise<Kept> => {
    const [four, six] = await Promise.all([
      found(host, resolver.resolve4(host, { ttl: true })),
      found(host, resolver.resolve6(host, { ttl: true })),
    ]);
    const shortest = Math.min(ttls.most, ...[...four, ...six].map(({ ttl }) => ttl));
    const isEmpty = four.length + six.length === 0;
    const seconds = isEmpty ? ttls.least : Math.max(ttls.least, shortest);
    return {
      until: clock.monotonic() + 1_000 * seconds,
      answer: { ipv4: textsOf(four), ipv6: textsOf(six).map(short) },
    };
  };
  return provided(dnsLookup, async ({ host: name }, { signal }) => {
    signal.throwIfAborted();
    const host = name.toLowerCase().replace(/\.$/, '');
    const known = kept.get(host);
    if (known && known.until > clock.monotonic()) return known.answer;
    const waiting = asked.get(host) ?? lookUp(host).finally(() => asked.delete(host));
    asked.set(host, waiting);
    const looked = await waiting;
    kept.delete(host);
    kept.set(host, looked);
    const [oldest] = kept.size > most ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return looked.answer;
  });
}

function newResolver(): HostResolver {
  return new Resolver({ timeout: 2_000, tries: 2 });
}

/** No such name, or no addresses of one family, is an answer. */
async function found(host: string, addresses: Promise<readonly Addressed[]>): Promise<readonly Addressed[]> {
  try {
    return await addresses;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    throw new CallError('retryable', `the lookup of ${host} failed: ${String(code)}`);
  }
}

function textsOf(found: readonly Addressed[]): readonly string[] {
  return [...new Set(found.map(({ address }) => address))].toSorted();
}

function short(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
