import { createHash } from 'node:crypto';
import type { HostLookup } from '../../egress/connections.js';
import { exchangeHttp } from '../../egress/http-exchange.js';
import { linked } from '../../runtime/concurrency/abort-signals.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError } from '../../runtime/ports/external-call.js';
import type { SecretData } from '../../runtime/ports/external-port.js';
import { refusalIn, refused } from './etcd-errors.js';

/** Milliseconds for a request to one member. Without a quorum etcd gives up after 7,000. */
const patience = 8_000;
/** Bytes of a response. */
const maxResponseSize = 8 * 1_048_576;
/** Tokens that are remembered. A forgotten one is asked for again. */
const most = 256;

/** What the client of keys needs. */
export interface EtcdKeysOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly lookup: HostLookup;
}

/** One question or request. */
export interface EtcdExchange {
  readonly endpoints: readonly string[];
  readonly secret: SecretData | undefined;
  readonly signal: AbortSignal;
  /** Throws if the request must not be sent any more. @default - the request changes nothing */
  readonly mayLeave?: () => void;
}

/** A method of etcd's HTTP gateway. */
type Method = 'kv/txn' | 'auth/authenticate';

/** Requests to an etcd whose URLs are in a resource. */
export class EtcdKeysClient {
  /** By the endpoint, the user and the password. */
  readonly #tokens = new Map<string, string>();

  constructor(readonly options: EtcdKeysOptions) {}

  /**
   * Sends a transaction to the first endpoint that answers. After one that may have carried it out, it is sent to no other.
   * @throws {CallError} with the kind of the failure and the words of etcd
   */
  async transaction(exchange: EtcdExchange, body: object): Promise<Readonly<Record<string, unknown>>> {
    const failures: CallError[] = [];
    if (exchange.endpoints.length === 0)
      throw new CallError('terminal', 'endpoints: Required value: must have at least one URL');
    for (const endpoint of exchange.endpoints) {
      try {
        return await this.#authorized(exchange, endpoint, body);
      } catch (error) {
        const isNext = error instanceof CallError && error.kind === 'unreachable';
        if (!isNext || (exchange.mayLeave && error.mayHaveEffect)) throw error;
        failures.push(error);
      }
    }
    const why = failures.map(({ message }) => message).join('; ');
    throw new CallError('unreachable', why, { mayHaveEffect: false });
  }

  /** A token is valid for five minutes after its last use, or until etcd restarts. Then there is another one. */
  async #authorized(
    exchange: EtcdExchange,
    endpoint: string,
    body: object,
  ): Promise<Readonly<Record<string, unknown>>> {
    const known = await this.#tokenFor(exchange, endpoint);
    try {
      return await this.#send(exchange, { endpoint, method: 'kv/txn', body, token: known });
    } catch (error) {
      if (known === undefined || !(error instanceof CallError) || !/invalid auth token/.test(error.message))
        throw error;
      this.#tokens.delete(tokenKey(exchange, endpoint));
      const token = await this.#tokenFor(exchange, endpoint);
      return this.#send(exchange, { endpoint, method: 'kv/txn', body, token });
    }
  }

  async #tokenFor(exchange: EtcdExchange, endpoint: string): Promise<string | undefined> {
    const { username: name, password } = exchange.secret ?? {};
    if (!name) return undefined;
    const key = tokenKey(exchange, endpoint);
    const known = this.#tokens.get(key);
    if (known !== undefined) return known;
    const { mayLeave: _, ...asked } = exchange;
    const answer = await this.#send(asked, { endpoint, method: 'auth/authenticate', body: { name, password } });
    const { token } = answer;
    if (typeof token !== 'string') throw new CallError('unauthorized', `${hostOf(endpoint)} gave the user no token`);
    this.#tokens.set(key, token);
    const [oldest] = this.#tokens.size > most ? this.#tokens.keys() : [];
    if (oldest !== undefined) this.#tokens.delete(oldest);
    return token;
  }

  async #send(
    { secret, signal: until, mayLeave }: EtcdExchange,
    sent: {
      readonly endpoint: string;
      readonly method: Method;
      readonly body: object;
      readonly token?: string | undefined;
    },
  ): Promise<Readonly<Record<string, unknown>>> {
    const { endpoint, method, body, token } = sent;
    const { signal, abort, release } = linked(until);
    const late = () => abort(new CallError('unreachable', `${hostOf(endpoint)} does not answer within ${patience} ms`));
    const cancel = this.options.clock.after(patience, late);
    try {
      const { status, text } = await exchangeHttp({
        ...{ url: urlOf(endpoint, method), method: 'POST', body: JSON.stringify(body), maxResponseSize, signal },
        headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: token }) },
        tls: { ca: secret?.['ca.crt'], cert: secret?.['tls.crt'], key: secret?.['tls.key'] },
        lookup: this.options.lookup,
        ...(mayLeave && { mayLeave }),
      });
      if (status !== 200) throw ofUser(refused(refusalIn(status, text)));
      return objectIn(text, endpoint);
    } finally {
      cancel();
      release();
    }
  }
}

/** etcd reports a wrong user as an invalid argument. A corrected Secret is used without an edit of the resource. */
function ofUser(error: CallError): CallError {
  const isOfUser = /authentication|invalid user|user name is empty|permission denied|invalid auth token/.test(
    error.message,
  );
  return isOfUser ? new CallError('unauthorized', error.message) : error;
}

function objectIn(text: string, endpoint: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Not JSON.
  }
  throw new CallError('retryable', `${hostOf(endpoint)} answered with something else than etcd does`);
}

/** @throws {CallError} `terminal`, if the endpoint is no URL */
function urlOf(endpoint: string, method: Method): URL {
  const url = URL.canParse(endpoint) ? new URL(`/v3/${method}`, endpoint) : undefined;
  const isUrl = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (isUrl) return url;
  throw new CallError('terminal', 'endpoints: Invalid value: must be http or https URLs without a user');
}

function hostOf(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).host : 'the endpoint';
}

function tokenKey({ secret }: EtcdExchange, endpoint: string): string {
  const texts = JSON.stringify([endpoint, secret?.['username'], secret?.['password']]);
  return createHash('sha256').update(texts).digest('base64');
}
