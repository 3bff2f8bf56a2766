import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

/** An address that a resolver keeps until a time. */
interface Known {
  readonly addresses: readonly string[];
  /** Milliseconds since 1970. */
  readonly until: number;
}

/**
 * The lookup of a client that asks one DNS server, keeps each answer for its TTL as resolvers do, and takes the addresses in
 * turn. While the server is away, it keeps the last answer.
 */
export function resolvingLookup(server: string): LookupFunction {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([server]);
  const known = new Map<string, Known>();
  const asked = new Map<string, Promise<Known>>();
  let turn = 0;
  const ask = async (host: string): Promise<Known> => {
    const found = await resolver.resolve4(host, { ttl: true });
    const ttl = Math.min(...found.map((one) => one.ttl));
    return { addresses: found.map(({ address }) => address).toSorted(), until: Date.now() + 1000 * ttl };
  };
  const addressesOf = async (host: string): Promise<Known> => {
    const kept = known.get(host);
    if (kept && kept.until > Date.now()) return kept;
    const waiting = asked.get(host) ?? ask(host).finally(() => asked.delete(host));
    asked.set(host, waiting);
    const found = await waiting.catch((error) => kept ?? Promise.reject(error));
    known.set(host, found);
    return found;
  };
  return (host, options, callback) => {
    addressesOf(host).then(
      ({ addresses }) => {
        const address = addresses[turn++ % addresses.length] ?? '';
        if (options.all) callback(null, [{ address, family: 4 }]);
        else callback(null, address, 4);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
