import { createSecureContext } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import { ApiError, messageOf } from '../runtime/errors.js';
import type { Connection, Tls } from './connection.js';
import { CalledOff, lastCheck, type Recallable } from './last-check.js';
import { failureOf } from './status.js';

export interface Request extends Recallable {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** From the API server's root, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds without a word from the server. @default 30_000 */
  readonly patience?: number;
}

export interface TransportOptions {
  /** Connections at most; a watch takes one for itself. @default 64 */
  readonly connections?: number;
  /** Hears of every answer. `code` is 0 where none came. */
  readonly answered?: (answer: { method: string; code: number; seconds: number }) => void;
}

const patienceByDefault = 30_000;

/**
 * Speaks HTTP with one API server, over one pool of connections that all of the process shares.
 *
 * Guarantees: never more connections than allowed; every request has a deadline; a failure is an {@link ApiError}, an
 * abort the signal's reason.
 */
export class Transport {
  #pool: { tls: Tls; dispatcher: Dispatcher } | undefined;

  constructor(
    readonly connection: Connection,
    readonly options: TransportOptions = {},
  ) {}

  /** The body of a successful answer, parsed. */
  async json(request: Request): Promise<unknown> {
    return (await this.measured(request)).value;
  }

  /** The same, and how long it was as it came. */
  async measured(request: Request): Promise<{ value: unknown; bytes: number }> {
    const { body } = await this.#send(request);
    try {
      const text = await body.text();
      return { value: JSON.parse(text), bytes: text.length };
    } catch (error) {
      throw noAnswer(request, error);
    }
  }

  /** The body of a successful answer as it comes, without a deadline of its own: the caller aborts. */
  async *stream(request: Request): AsyncGenerator<Buffer> {
    const { body } = await this.#send(request, 0);
    try {
      yield* body;
    } catch (error) {
      throw noAnswer(request, error);
    }
  }

  async close(): Promise<void> {
    await this.#pool?.dispatcher.close();
  }

  async #send(request: Request, bodyTimeout = request.patience ?? patienceByDefault): Promise<Dispatcher.ResponseData> {
    const { method, path, body, contentType, signal, mayLeave, patience = patienceByDefault } = request;
    const { authorization, tls } = await this.connection.credentials();
    const headers: Record<string, string> = { accept: 'application/json' };
    if (authorization !== undefined) headers['authorization'] = authorization;
    if (body !== undefined) headers['content-type'] = contentType ?? 'application/json';
    const began = performance.now();
    const answered = (code: number) =>
      this.options.answered?.({ method, code, seconds: (performance.now() - began) / 1000 });
    let response: Dispatcher.ResponseData;
    try {
      const options: Dispatcher.RequestOptions & Recallable = {
        origin: this.connection.origin,
        path: this.connection.basePath + path,
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ?? null,
        headersTimeout: patience,
        bodyTimeout,
        mayLeave,
      };
      response = await this.#dispatcher(tls).request(options);
    } catch (error) {
      if (error instanceof CalledOff) throw error.cause; // nothing was sent, so there is no answer to count
      answered(0);
      throw noAnswer(request, error);
    }
    answered(response.statusCode);
    if (response.statusCode >= 300) throw await failureOf(request, response);
    return response;
  }

  /** A pool for these certificates: a new one when they have been replaced, while the old one finishes. */
  #dispatcher(tls: Tls): Dispatcher {
    if (this.#pool?.tls === tls || (this.#pool && isDeepStrictEqual(this.#pool.tls, tls))) return this.#pool.dispatcher;
    this.#pool?.dispatcher.close().catch(() => {}); // what it still carries fails by itself
    const { origin, proxy } = this.connection;
    const connections = this.options.connections ?? 64;
    const given = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined));
    // Made once: keys and certificates parsed anew for each connection are a tenth of what a burst of requests costs.
    const connect = origin.startsWith('https:') ? { ...given, secureContext: createSecureContext(given) } : given;
    const pool = proxy
      ? new ProxyAgent({ uri: proxy, connections, requestTls: connect })
      : new Pool(origin, { connections, connect, keepAliveTimeout: 60_000 });
    const dispatcher = pool.compose(lastCheck);
    this.#pool = { tls, dispatcher };
    return dispatcher;
  }
}

function noAnswer({ method, path, signal }: Request, error: unknown): unknown {
  if (signal?.aborted) return signal.reason;
  return new ApiError(`${method} ${path}: no answer: ${messageOf(error)}`, {
    code: 0,
    reason: 'NoAnswer',
    cause: error,
  });
}
