import { AsyncLocalStorage } from 'node:async_hooks';
import type * as Library from 'acme-client';
import { type Agent, request } from 'undici';
import type { AcmeServer } from '../../controllers/certificates/ports/acme.js';
import { agentFor, checkAddress, failureOf, type HostLookup } from '../../egress/connections.js';
import { retryAfterIn } from '../../runtime/kubernetes/errors.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { BoundedMap } from './bounded-map.js';
import { ProblemError } from './problems.js';

/** How the operator reaches servers. */
export interface TransportOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly lookup: HostLookup;
  /** Shared by all questions. */
  readonly directories: Directories;
}

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly data: string;
}

/** The directories of servers. They change about once a year, and each request needs one. */
export class Directories {
  readonly #known = new BoundedMap<{ readonly response: Response; readonly until: number }>(64);

  /** @param read reads it from the server */
  async of(server: AcmeServer, now: number, read: () => Promise<Response>): Promise<Response> {
    const key = keyOf(server);
    const known = this.#known.get(key);
    if (known && now < known.until) return known.response;
    const response = await read();
    this.#known.set(key, { response, until: now + directoryLasts });
    return response;
  }

  /** Has the directory read again with the next request. */
  forget(server: AcmeServer): void {
    this.#known.delete(keyOf(server));
  }
}

function keyOf({ directory, caBundle }: AcmeServer): string {
  return JSON.stringify([directory, caBundle]);
}

/** Whether a server lacks what it had: it may be another one by now, with another directory. */
function isUnknown(error: ProblemError): boolean {
  return error.status === 404 || error.status === 405 || error.isOfType('accountDoesNotExist');
}

/** Milliseconds. */
const directoryLasts = 3_600_000;

/** The requests that belong to one question or call. */
interface Exchange extends TransportOptions {
  readonly agent: Agent;
  readonly signal: AbortSignal;
  readonly mayLeave: () => void;
  readonly server: AcmeServer;
  /** Called with each error response. @default - errors are only thrown */
  readonly onProblem?: (error: ProblemError) => void;
  /** The longest `Retry-After` of the responses, in milliseconds. */
  retryAfter: number;
}

/** A request as the HTTP client of the library describes it. */
interface LibraryRequest {
  readonly url: string;
  readonly method: string;
  readonly data?: string;
}

/** Bytes. A chain has a few thousand. */
const maxResponseSize = 1024 * 1024;
/** Connections for the authorizations of one order. */
const connections = 4;

const exchanges = new AsyncLocalStorage<Exchange>();

let loaded: Promise<typeof Library> | undefined;

/**
 * The library, which is loaded with the first question. Its requests go through this transport, because its own ignores
 * signals, knows no CA certificates, and sleeps when a server asks for a later request.
 */
export function library(): Promise<typeof Library> {
  loaded ??= import('acme-client').then((acme) => {
    Object.assign(acme.axios.defaults, { adapter: send });
    const { acmeSettings } = acme.axios.defaults as unknown as { readonly acmeSettings: object };
    Object.assign(acmeSettings, { retryMaxAttempts: 0 });
    return acme;
  });
  return loaded;
}

/**
 * Lets the library send requests to one server. Connections are closed afterwards, because orders are rare.
 * @returns the result, and the milliseconds after which the server wants the next request. 0 if it does not tell
 */
export async function exchanging<T>(
  context: Omit<Exchange, 'agent' | 'retryAfter'>,
  use: () => Promise<T>,
): Promise<{ readonly value: T; readonly retryAfter: number }> {
  const { caBundle: ca } = context.server;
  const agent = agentFor(context.lookup, {
    connect: { ...(ca !== undefined && { ca }) },
    connections,
    maxResponseSize,
  });
  const exchange: Exchange = { ...context, agent, retryAfter: 0 };
  try {
    return { value: await exchanges.run(exchange, use), retryAfter: exchange.retryAfter };
  } finally {
    await agent.destroy();
  }
}

/**
 * The directory of the server of the current exchange.
 * @throws {ProblemError} if the server does not answer with one
 */
export async function directory(): Promise<AcmeDirectory> {
  const { server } = current();
  const { data } = await send({ url: server.directory, method: 'GET' });
  return (JSON.parse(data) ?? {}) as AcmeDirectory;
}

/** The part of a directory that this engine reads. @see https://datatracker.ietf.org/doc/html/rfc8555#section-7.1.1 */
export interface AcmeDirectory {
  readonly meta?: {
    readonly termsOfService?: string;
    readonly externalAccountRequired?: boolean;
    readonly profiles?: Readonly<Record<string, string>>;
  };
  readonly newAccount?: string;
  /** @see https://www.rfc-editor.org/rfc/rfc9773#section-4 */
  readonly renewalInfo?: string;
}

/**
 * Reads a URL below one of the directory, without an account.
 * @throws {ProblemError} for an error response
 */
export async function read(url: string): Promise<string> {
  const { data } = await sendTo(new URL(url), { url, method: 'GET' }, current());
  return data;
}

function current(): Exchange {
  const exchange = exchanges.getStore();
  if (exchange) return exchange;
  throw new Error('a request to an ACME server belongs to no question');
}

/** Sends one request of the library, whose only GET is the one for the directory. */
async function send(config: LibraryRequest): Promise<Response & { readonly config: LibraryRequest }> {
  const exchange = current();
  const { clock, directories, server } = exchange;
  const isDirectory = config.method.toUpperCase() === 'GET';
  const read = () => sendTo(new URL(config.url), config, exchange);
  const response = await (isDirectory ? directories.of(server, clock.now(), read) : read());
  return { ...response, config };
}

/** Redirects are not followed, because they could lead to another server. */
async function sendTo(url: URL, { method: name, data }: LibraryRequest, exchange: Exchange): Promise<Response> {
  const { agent, clock, directories, lookup, mayLeave, onProblem, server, signal } = exchange;
  checkAddress(url, lookup);
  signal.throwIfAborted();
  const method = name.toUpperCase() as 'GET' | 'HEAD' | 'POST';
  const posted = method === 'POST' && { body: data ?? '', headers: { ...agentName, 'content-type': contentType } };
  if (posted) mayLeave();
  try {
    const answer = await request(url, { dispatcher: agent, signal, method, headers: agentName, ...posted });
    const { headers, statusCode: status } = answer;
    const text = await answer.body.text();
    const retryAfter = textOf(headers['retry-after']);
    const error = status >= 300 && ProblemError.fromResponse({ status, text, retryAfter }, clock.now());
    // The library repeats a request with a refused nonce.
    if (error && !error.isOfType('badNonce')) {
      if (isUnknown(error)) directories.forget(server);
      onProblem?.(error);
      throw error;
    }
    if (!error)
      exchange.retryAfter = Math.max(exchange.retryAfter, (retryAfterIn(retryAfter, clock.now()) ?? 0) * 1000);
    return { status, headers, data: text };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof CallError) throw error;
    throw new Error(`${url.host}: ${failureOf(error)}`, { cause: error });
  }
}

const agentName = { 'user-agent': 'cdk8s-reconstruct' };
const contentType = 'application/jose+json';

function textOf(header: string | readonly string[] | undefined): string {
  return (typeof header === 'string' ? header : header?.[0]) ?? '';
}
