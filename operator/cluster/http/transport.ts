import type { Dispatcher } from 'undici';
import { ApiError, messageOf } from '../../runtime/kubernetes/errors.js';
import type { Connection, Credentials } from '../connection/connection.js';
import { withDeadline } from '../connection/deadline.js';
import { answerTooLarge, objectLimit } from './answer-limits.js';
import { CalledOff, type Recallable } from './dispatch-guard.js';
import { exchange } from './exchange.js';
import { Pools } from './pools.js';
import { type Pieces, responseStream } from './response-stream.js';
import { failureOf } from './status.js';

export interface Request extends Recallable {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the API server's root, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds without data from the server. The complete response may take twice that, and credentials as long.
   * @default 30_000
   */
  readonly patience?: number;
  /** The maximum number of bytes of the response. @default objectLimit */
  readonly most?: number;
  /** Parses a successful response. @default JSON.parse */
  readonly read?: ((json: string) => unknown) | undefined;
}

export interface TransportOptions {
  /**
   * The maximum number of connections. Each watch has one more of its own, so that watches cannot block other requests.
   * @default 64
   */
  readonly connections?: number;
  /**
   * Called once for new certificates that cannot be used. The previous ones stay in use, and the API server decides
   * whether they are still valid.
   */
  readonly unusable?: (why: Error) => void;
  /** Called for every response. `code` is 0 if none came. */
  readonly answered?: (answer: { method: string; code: number; seconds: number }) => void;
}

const patienceByDefault = 30_000;

/**
 * Sends HTTP requests to one API server, through one connection pool for the whole process.
 *
 * Guarantees: the number of connections never exceeds the limit. Every request has a deadline. A failure is an {@link
 * ApiError}, and an abort throws the signal's reason.
 */
export class Transport {
  readonly #pools: Pools;

  constructor(
    readonly connection: Connection,
    readonly options: TransportOptions = {},
  ) {
    const { connections = 64, unusable } = options;
    this.#pools = new Pools(connection, { connections, unusable });
  }

  /** The parsed body of a successful response. */
  async json(request: Request): Promise<unknown> {
    return (await this.measured(request)).value;
  }

  /** The same, with its length as received. */
  async measured(request: Request): Promise<{ value: unknown; bytes: number }> {
    const { signal, patience = patienceByDefault, most = objectLimit, read = JSON.parse } = request;
    const prepared = await this.#prepared(request, patience);
    const asking = exchange(prepared.requests, prepared.options, { signal, within: 2 * patience, most });
    const answer = await this.#counted(request, asking);
    const { statusCode, text } = answer;
    if (statusCode >= 300) throw failureOf(request, answer);
    if (text === undefined) throw answerTooLarge(`${request.method} ${request.path}`, most);
    try {
      return { value: read(text), bytes: text.length };
    } catch (error) {
      throw noAnswer(request, error); // broken off, or not from the API server
    }
  }

  /** The body of a successful response as it arrives, without a deadline of its own: the caller aborts. */
  async stream(request: Request): Promise<Pieces> {
    const { streams, options } = await this.#prepared(request, 0);
    const failure = (error: unknown) => noAnswer(request, error);
    const asking = responseStream(streams, options, { signal: request.signal, failure });
    const { statusCode, headers, pieces } = await this.#counted(request, asking);
    if (statusCode < 300) return pieces;
    throw failureOf(request, { statusCode, headers, text: await textOf(pieces) });
  }

  close(): Promise<void> {
    return this.#pools.close();
  }

  /** @param bodyTimeout milliseconds without data in the middle of the response. 0 for no limit */
  async #prepared(request: Request, bodyTimeout: number) {
    const { method, path, body, contentType, mayLeave, patience = patienceByDefault } = request;
    const known = this.connection.credentials();
    const { authorization, as, tls } = known instanceof Promise ? await awaited(known, request) : known;
    const headers: Record<string, string> = { accept: 'application/json' };
    if (authorization !== undefined) headers['authorization'] = authorization;
    if (as !== undefined) headers['impersonate-user'] = as;
    if (body !== undefined) headers['content-type'] = contentType ?? 'application/json';
    const options: Dispatcher.DispatchOptions & Recallable = {
      origin: this.connection.origin,
      path: this.connection.basePath + path,
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: patience,
      bodyTimeout,
      mayLeave,
    };
    try {
      return { ...this.#pools.for(tls), options };
    } catch (error) {
      throw noAnswer(request, error);
    }
  }

  /** Reports a response, or that there is none. */
  async #counted<A extends { readonly statusCode: number }>(request: Request, asking: Promise<A>): Promise<A> {
    const began = performance.now();
    const answered = (code: number) =>
      this.options.answered?.({ method: request.method, code, seconds: (performance.now() - began) / 1000 });
    try {
      const answer = await asking;
      answered(answer.statusCode);
      return answer;
    } catch (error) {
      if (error instanceof CalledOff) throw error.cause; // nothing was sent, so there is no response to count
      answered(0);
      throw noAnswer(request, error);
    }
  }
}

/** The body of an error response, as far as it came. Undefined if it exceeds the limit. */
async function textOf(pieces: Pieces): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      chunks.push(...piece);
      bytes += piece.reduce((sum, { length }) => sum + length, 0);
      if (bytes > objectLimit) return undefined;
    }
  } catch {
    return '';
  }
  return Buffer.concat(chunks).toString('utf8');
}

function awaited(credentials: Promise<Credentials>, request: Request): Promise<Credentials> {
  const { signal, patience: within = patienceByDefault } = request;
  return withDeadline(credentials, { signal, within, what: 'credentials' }).catch((error: unknown) => {
    throw noAnswer(request, error);
  });
}

function noAnswer({ method, path, signal }: Request, error: unknown): unknown {
  if (signal?.aborted) return signal.reason;
  return new ApiError(`${method} ${path}: no answer: ${messageOf(error)}`, {
    code: 0,
    reason: 'NoAnswer',
    cause: error,
  });
}
