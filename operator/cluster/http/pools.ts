import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import type { Connection, Tls } from '../connection/connection.js';
import { dispatchGuard } from './dispatch-guard.js';

/** Connections by the same certificates. */
interface Connections {
  readonly tls: Tls;
  readonly requests: Dispatcher;
  /** Beside them, one each, so that no number of streams stops the rest. */
  readonly streams: Dispatcher;
}

export interface PoolsOptions {
  /** For requests, at the most. */
  readonly connections: number;
  /** Hears once of new certificates that cannot be used, while the ones before them still are. */
  readonly unusable: ((why: Error) => void) | undefined;
}

/**
 * The connections to an API server: new ones when certificates were replaced, while the old ones finish.
 *
 * Guarantee: what was in use stays so until what replaces it is ready. A key is often written before its certificate, and
 * the two do not fit then.
 */
export class Pools {
  #used: Connections | undefined;
  #unusable: Tls | undefined;

  constructor(
    readonly connection: Connection,
    readonly options: PoolsOptions,
  ) {}

  /** @throws {Error} that says what cannot be used, when nothing was before it */
  for(tls: Tls): Connections {
    const old = this.#used;
    if (old && isDeepStrictEqual(old.tls, tls)) return old;
    if (old && isDeepStrictEqual(this.#unusable, tls)) return old;
    try {
      this.#used = this.#made(tls);
    } catch (error) {
      const why = error as Error;
      if (!old) throw why;
      this.#unusable = tls;
      this.options.unusable?.(why);
      return old;
    }
    this.#unusable = undefined;
    if (old) closed(old).catch(() => {}); // what it still carries fails by itself
    return this.#used;
  }

  async close(): Promise<void> {
    if (this.#used) await closed(this.#used);
  }

  #made(tls: Tls): Connections {
    const given = secure(tls);
    // Made once: keys and certificates parsed anew for each connection are a tenth of what a burst of requests costs.
    const isSecure = this.connection.origin.startsWith('https:');
    const connect = isSecure ? { ...given, secureContext: secureContext(given) } : given;
    const requests = dispatcher(this.connection, connect, this.options.connections);
    return { tls, requests, streams: dispatcher(this.connection, connect, null) };
  }
}

async function closed({ requests, streams }: Connections): Promise<void> {
  await Promise.all([requests.close(), streams.close()]);
}

function secure(tls: Tls): SecureContextOptions {
  return Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined));
}

function secureContext(given: SecureContextOptions): SecureContext {
  try {
    return createSecureContext(given);
  } catch (cause) {
    // Of the authority's certificates those that make no sense are left out without a word.
    throw new Error(`the client certificate and its key cannot be used: ${messageOf(cause)}`, { cause });
  }
}

/** @param connections at most; null for as many as are wanted at a time */
function dispatcher({ origin, proxy }: Connection, connect: object, connections: number | null): Dispatcher {
  const pool = proxy
    ? proxied(proxy, { connections, requestTls: connect })
    : new Pool(origin, { connections, connect, keepAliveTimeout: 60_000 });
  return pool.compose(dispatchGuard);
}

function proxied(uri: string, options: Omit<ProxyAgent.Options, 'uri'>): ProxyAgent {
  try {
    return new ProxyAgent({ uri, ...options });
  } catch (cause) {
    // Not named: there may be a password in it.
    const advice = 'set proxy-url of the cluster to http://HOST:PORT or https://HOST:PORT';
    throw new Error(`the proxy cannot be used: ${messageOf(cause)}: ${advice}`, { cause });
  }
}
