import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import type { Connection, Tls } from '../connection/connection.js';
import { dispatchGuard } from './dispatch-guard.js';

/** The connections with the same certificates. */
interface Connections {
  readonly tls: Tls;
  readonly requests: Dispatcher;
  /** One connection for each stream, so that streams cannot block other requests. */
  readonly streams: Dispatcher;
}

export interface PoolsOptions {
  /** The maximum number of connections for requests. */
  readonly connections: number;
  /** Called once for new certificates that cannot be used, while the previous ones still are. */
  readonly unusable: ((why: Error) => void) | undefined;
}

/**
 * The connections to an API server. When certificates are replaced, new connections are opened, and the old ones
 * finish.
 *
 * Guarantee: the current certificates stay in use until their replacement is complete. A key is often written before
 * its certificate, and then the two do not match.
 */
export class Pools {
  #used: Connections | undefined;
  #unusable: Tls | undefined;

  constructor(
    readonly connection: Connection,
    readonly options: PoolsOptions,
  ) {}

  /** @throws {Error} that names what cannot be used, if there are no previous connections */
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
    if (old) closed(old).catch(() => {}); // requests on the old connections fail by themselves
    return this.#used;
  }

  async close(): Promise<void> {
    if (this.#used) await closed(this.#used);
  }

  #made(tls: Tls): Connections {
    const given = secure(tls);
    // Created once: parsing keys and certificates for each connection would be a tenth of the cost of a burst of requests.
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
    // Invalid CA certificates are ignored without an error.
    throw new Error(`the client certificate and its key cannot be used: ${messageOf(cause)}`, { cause });
  }
}

/** @param connections the maximum number. Null for no limit */
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
    // Not named, because it may contain a password.
    const advice = 'set proxy-url of the cluster to http://HOST:PORT or https://HOST:PORT';
    throw new Error(`the proxy cannot be used: ${messageOf(cause)}: ${advice}`, { cause });
  }
}
