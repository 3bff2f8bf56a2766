import { createHash } from 'node:crypto';
import type { KafkaAccess, KafkaAddress } from '../../../kafka/access.js';
import { readSecret } from '../../../runtime/external/secret-access.js';
import type { Clock } from '../../../runtime/ports/clock.js';
import type { Cluster } from '../../../runtime/ports/cluster.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import type { SecretData } from '../../../runtime/ports/external-port.js';
import { callErrorOf } from './kafka-errors.js';
import { type Connection, type LoadedLibrary, loadLibrary } from './library.js';

/** Milliseconds until a node that does not complete the handshake counts as unreachable. */
const connectTimeout = 3_000;
/** Milliseconds. A response that comes later is lost, and so is its connection. */
export const requestTimeout = 10_000;
/** Maximum number of clusters with open connections. Beyond it, the least recently asked one reconnects. */
const most = 512;

/** PEM texts for both sides of TLS. */
export interface Credentials {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/** Connections to the nodes of one cluster, with the same credentials. */
export interface NodeConnections {
  readonly loaded: LoadedLibrary;
  readonly credentials: Credentials;
  /** Brokers to begin with. The one that answered last comes first, and one that did not comes last. */
  readonly bootstrap: readonly KafkaAddress[];
  /** A connection, which may have been open before. @throws {CallError} if the node is not reachable */
  to(address: KafkaAddress): Promise<Connection>;
  /** Drops a connection after an error. */
  drop(address: KafkaAddress): void;
  /** Rejects after some milliseconds. */
  lateness(address: KafkaAddress, ms: number): Promise<never>;
  /** Remembers a broker that answered. */
  prefer(address: KafkaAddress): void;
  /** Remembers a broker that did not answer in time. */
  suspect(address: KafkaAddress): void;
}

interface Kept {
  readonly fingerprint: string;
  readonly credentials: Credentials;
  readonly open: Map<string, Promise<Connection>>;
  preferred: string;
  suspected: string;
}

/**
 * Connections of all clusters, by the UID of each. They are dropped on errors and when the Secret changes. None is opened
 * before the first question.
 */
export class Connections {
  readonly #kept = new Map<string, Kept>();

  constructor(
    private readonly options: { readonly cluster: Pick<Cluster, 'read'>; readonly clock: Pick<Clock, 'after'> },
  ) {}

  /** @throws {CallError} `unauthorized`, if the Secret is not usable */
  async of(
    { cluster, namespace, secret: name, bootstrap }: KafkaAccess,
    signal: AbortSignal,
  ): Promise<NodeConnections> {
    const [secret, loaded] = await Promise.all([
      readSecret(this.options.cluster, { namespace, name }, signal),
      loadLibrary(),
    ]);
    const kept = this.#keptFor(cluster, credentialsIn(secret, name));
    return {
      ...{ loaded, credentials: kept.credentials },
      bootstrap: [...bootstrap].sort((one, other) => rank(one, kept) - rank(other, kept)),
      to: (address) => connectionTo(address, kept, loaded),
      drop: (address) => drop(address, kept),
      lateness: (address, ms) => latenessOf(address, ms, this.options.clock),
      prefer: (address) => prefer(address, kept),
      suspect: (address) => suspect(address, kept),
    };
  }

  async close(): Promise<void> {
    const all = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(all.map(closeAll));
  }

  #keptFor(cluster: string, credentials: Credentials): Kept {
    const fingerprint = fingerprintOf(credentials);
    const known = this.#kept.get(cluster);
    this.#kept.delete(cluster);
    const isSame = known?.fingerprint === fingerprint;
    const kept = isSame ? known : { fingerprint, credentials, open: new Map(), ...unknownNodes };
    this.#kept.set(cluster, kept);
    if (known && !isSame) this.#retire(known);
    const [oldest] = this.#kept.size > most ? this.#kept : [];
    if (oldest) {
      this.#kept.delete(oldest[0]);
      this.#retire(oldest[1]);
    }
    return kept;
  }

  /** Requests that are under way on these connections may still be answered. */
  #retire(kept: Kept): void {
    this.options.clock.after(requestTimeout, () => void closeAll(kept));
  }
}

/** @throws {CallError} `unauthorized`, if a key is missing */
export function credentialsIn(secret: SecretData, name: string): Credentials {
  const { 'tls.crt': cert, 'tls.key': key, 'ca.crt': ca } = secret;
  if (!cert || !key || !ca)
    throw new CallError('unauthorized', `Secret ${name} must have the keys tls.crt, tls.key and ca.crt`);
  return { cert, key, ca };
}

function fingerprintOf({ cert, key, ca }: Credentials): string {
  return createHash('sha256')
    .update(JSON.stringify([cert, key, ca]))
    .digest('base64');
}

function textOf({ host, port }: KafkaAddress): string {
  return `${host}:${port}`;
}

const unknownNodes = { preferred: '', suspected: '' };

function rank(address: KafkaAddress, { preferred, suspected }: Kept): number {
  const text = textOf(address);
  if (text === suspected) return 2;
  return text === preferred ? 0 : 1;
}

function prefer(address: KafkaAddress, kept: Kept): void {
  kept.preferred = textOf(address);
  if (kept.suspected === kept.preferred) kept.suspected = '';
}

function suspect(address: KafkaAddress, kept: Kept): void {
  kept.suspected = textOf(address);
}

/** Several questions wait for the same connection. */
function connectionTo(address: KafkaAddress, kept: Kept, loaded: LoadedLibrary): Promise<Connection> {
  const name = textOf(address);
  const known = kept.open.get(name);
  if (known) return known;
  const opening = connect(address, kept.credentials, loaded);
  kept.open.set(name, opening);
  const forget = () => {
    if (kept.open.get(name) === opening) kept.open.delete(name);
  };
  const fail = () => {
    forget();
    kept.suspected = name;
  };
  opening.then((connection) => connection.once('close', forget), fail);
  return opening;
}

async function connect(address: KafkaAddress, tls: Credentials, { library }: LoadedLibrary): Promise<Connection> {
  const { host, port } = address;
  const connection = new library.Connection('reconstruct', {
    connectTimeout,
    requestTimeout,
    tls,
    tlsServerName: true,
  });
  // The error of a lost connection is that of the request which needed it.
  connection.on('error', () => {});
  try {
    await connection.connect(host, port);
    return connection;
  } catch (error) {
    void connection.close().catch(() => {});
    throw callErrorOf(error, textOf(address), false);
  }
}

function latenessOf(address: KafkaAddress, ms: number, clock: Pick<Clock, 'after'>): Promise<never> {
  const late = new Promise<never>((_, reject) => {
    const error = new CallError('unreachable', `${textOf(address)} does not answer within ${ms} ms`);
    clock.after(ms, () => reject(error));
  });
  late.catch(() => {});
  return late;
}

function drop(address: KafkaAddress, kept: Kept): void {
  const name = textOf(address);
  kept.suspected = name;
  const dropped = kept.open.get(name);
  kept.open.delete(name);
  dropped?.then((connection) => connection.close()).catch(() => {});
}

async function closeAll({ open }: Kept): Promise<void> {
  const all = [...open.values()];
  open.clear();
  await Promise.all(all.map((opening) => opening.then((connection) => connection.close()).catch(() => {})));
}
