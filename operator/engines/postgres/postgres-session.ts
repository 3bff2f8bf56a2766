import { type LookupFunction, Socket } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import type { Client } from 'pg';

/** Where a session connects, and as whom. */
export interface SessionAccess {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
  /** Trusted certificate authorities, PEM. @default - those of the system */
  readonly authority?: string | undefined;
  /** Resolves the name of the host. @default - as Node.js does */
  readonly lookup?: LookupFunction | undefined;
}

/** Milliseconds until a server that does not answer counts as unreachable. */
const connectTimeout = 5_000;
/** Milliseconds. A change waits for the replicas that must confirm it. */
const statementTimeout = 10_000;

/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>;

/** Runs statements in one session. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/**
 * Opens a session with TLS, runs statements in it, and closes it. The certificate of the server must have its host name.
 * @throws {Error} of the server or of the connection. It never has a password
 */
export async function withSession<T>(
  access: SessionAccess,
  signal: AbortSignal,
  use: (query: Query) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const client = await clientFor(access);
  // The error of a lost connection is that of the statement which needed it.
  client.on('error', () => {});
  const stop = () => void client.end().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    return await use(async (text, values) => (await client.query<Row>(text, [...(values ?? [])])).rows);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await client.end().catch(() => {});
  }
}

/** The client is loaded when the first rotation needs it. */
async function clientFor({
  host,
  port,
  database,
  username,
  password,
  authority,
  lookup,
}: SessionAccess): Promise<Client> {
  const { default: pg } = await import('pg');
  return new pg.Client({
    ...{ host, port, database, user: username, password },
    ...(lookup && { stream: () => new SocketWithLookup(lookup) }),
    application_name: 'reconstruct',
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: statementTimeout,
    ssl: {
      ...(authority !== undefined && { ca: authority }),
      // The client connects its own socket, so TLS does not know an IP address by itself.
      checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
    },
  });
}

/** A socket that the client connects by a port and a host. */
class SocketWithLookup extends Socket {
  constructor(readonly lookup: LookupFunction) {
    super();
  }

  override connect(...[port, host]: readonly unknown[]): this {
    return super.connect({ port: Number(port), host: String(host), lookup: this.lookup });
  }
}

/** The SQLSTATE of an error of the server. Undefined for other errors, such as EPIPE. */
export function sqlState(error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) ? code : undefined;
}
