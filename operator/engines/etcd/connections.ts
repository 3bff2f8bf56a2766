import { createHash } from 'node:crypto';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { EtcdQuestion } from '../../controllers/etcd/ports/cluster.js';
import { readSecret } from '../../runtime/external/secret-access.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { CallError } from '../../runtime/ports/external-call.js';

/** Milliseconds until a member that does not complete the handshake counts as unreachable. */
const connectTimeout = 3_000;
/** Bytes of a response. A list of members has less than 300 for each. */
const maxResponseSize = 65_536;
/** Maximum number of clusters with open connections. Beyond it, the least recently asked one reconnects. */
const most = 512;

/** Connections to the members of one cluster, with the same credentials. */
export interface MemberConnections {
  readonly dispatcher: Dispatcher;
  /**
   * The error of TLS that ended the latest connection to an endpoint, if one did. With TLS 1.3 a member refuses a certificate
   * after the handshake, and undici reports only that the other side has closed the connection.
   */
  tlsErrorOf(endpoint: string): unknown;
}

interface Kept extends MemberConnections {
  readonly fingerprint: string;
  readonly close: () => Promise<void>;
}

/**
 * Connections to the members of all clusters, by the UID of each. They are replaced when the Secret changes. None is opened
 * before the first question.
 */
export class Connections {
  readonly #kept = new Map<string, Kept>();

  constructor(private readonly cluster: Pick<Cluster, 'read'>) {}

  /** @throws {CallError} `unauthorized`, if the Secret is not usable */
  async of({ cluster, namespace, secret: name }: EtcdQuestion, signal: AbortSignal): Promise<MemberConnections> {
    const {
      'tls.crt': cert,
      'tls.key': key,
      'ca.crt': ca,
    } = await readSecret(this.cluster, { namespace, name }, signal);
    if (!cert || !key || !ca)
      throw new CallError('unauthorized', `Secret ${name} must have the keys tls.crt, tls.key and ca.crt`);
    const fingerprint = fingerprintOf([cert, key, ca]);
    const known = this.#kept.get(cluster);
    this.#kept.delete(cluster);
    const isSame = known?.fingerprint === fingerprint;
    const kept = isSame ? known : { fingerprint, ...connectionsWith({ cert, key, ca }) };
    this.#kept.set(cluster, kept);
    // Requests that are under way may still be answered.
    if (known && !isSame) void known.close();
    const [oldest] = this.#kept.size > most ? this.#kept : [];
    if (oldest) {
      this.#kept.delete(oldest[0]);
      void oldest[1].close();
    }
    return kept;
  }

  async close(): Promise<void> {
    const all = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(all.map(({ close }) => close()));
  }
}

function connectionsWith(tls: { readonly cert: string; readonly key: string; readonly ca: string }) {
  const errors = new Map<string, unknown>();
  const connector = buildConnector({ ...tls, timeout: connectTimeout });
  const connect: buildConnector.connector = (options, callback) =>
    connector(options, (...[error, socket]) => {
      errors.delete(options.host ?? '');
      socket?.once('error', (cause) => errors.set(options.host ?? '', cause));
      if (error) callback(error, null);
      else callback(null, socket);
    });
  const agent = new Agent({ connect, maxResponseSize });
  return {
    dispatcher: agent,
    tlsErrorOf: (endpoint: string) => errors.get(new URL(endpoint).host),
    close: () => agent.close(),
  };
}

function fingerprintOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64');
}
