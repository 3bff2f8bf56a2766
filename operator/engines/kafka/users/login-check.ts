import type { KafkaAddress } from '../../../kafka/access.js';
import { aborted } from '../../../runtime/concurrency/abort-signals.js';
import { callErrorOf } from '../connection/kafka-errors.js';
import { loadLibrary } from '../connection/library.js';

/** A login to try. */
export interface TriedLogin {
  readonly address: KafkaAddress;
  readonly user: string;
  readonly password: string;
  /** PEM. The certificate of the listener must be of this authority, and have the host name. */
  readonly authority: string;
  /** Whether the listener has TLS. @default true */
  readonly tls?: boolean;
}

/** Milliseconds. A refused login is answered late on purpose. */
const patience = 4_000;

/** Whether a listener accepts a password. @throws {CallError} if it does not tell */
export async function loginAccepted(
  { address: { host, port }, user, password, authority, tls = true }: TriedLogin,
  signal: AbortSignal,
): Promise<boolean> {
  const { library } = await loadLibrary();
  const connection = new library.Connection('reconstruct', {
    ...{ connectTimeout: patience, requestTimeout: patience },
    ...(tls && { tls: { ca: authority }, tlsServerName: true }),
    sasl: { mechanism: 'SCRAM-SHA-512', username: user, password },
  });
  connection.on('error', () => {});
  const ended = aborted(signal).then((): never => {
    throw signal.reason;
  });
  ended.catch(() => {});
  try {
    await Promise.race([connection.connect(host, port), ended]);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (isRefused(error)) return false;
    throw callErrorOf(error, `${host}:${port}`, false);
  } finally {
    void Promise.resolve(connection.close()).catch(() => {});
  }
}

/** The server says so. Other failures of a login, such as a mechanism that it does not have, tell nothing of the password. */
function isRefused(error: unknown): boolean {
  for (let inner: unknown = error; inner instanceof Error; inner = inner.cause) {
    const { errors = [] } = inner as { readonly errors?: readonly { readonly apiId?: unknown }[] };
    if (errors.some(({ apiId }) => apiId === 'SASL_AUTHENTICATION_FAILED')) return true;
  }
  return false;
}
