import { retryAfterIn } from '../runtime/kubernetes/errors.js';
import { CallError } from '../runtime/ports/external-call.js';
import type { HostLookup } from './connections.js';
import { exchangeHttp, wordsOf } from './http-exchange.js';

/** Bytes of a response. */
const maxResponseSize = 65_536;

/** How the operator names itself to servers. */
export const userAgent = 'cdk8s-reconstruct';

/** The key of a Secret that has the bearer token of a server. */
export const tokenKey = 'token';

/** A JSON document for a server whose URL is in a resource. */
export interface JsonPost {
  readonly url: URL;
  readonly body: object;
  /** CA certificates that the server's own certificate must chain to, PEM. Undefined for those of Node.js. */
  readonly ca?: string | undefined;
  /** A bearer token, which reaches no message. */
  readonly token?: string | undefined;
  /** Refuses what the operator's allow-list does not have. */
  readonly lookup: HostLookup;
  readonly signal: AbortSignal;
  /** Throws if the request must not be sent any more. */
  readonly mayLeave: () => void;
}

/** A response that is not 2xx. */
export interface Refused {
  readonly status: number;
  /** The host, the status and the words of the server in one line, for people. */
  readonly message: string;
  /** The header `Retry-After`, as it came. */
  readonly retryAfter: string;
}

/**
 * Sends a document once. Redirects are not followed, because they could lead to another server.
 * @returns undefined if the server answers with 2xx
 * @throws {CallError} if no server answers, or if its address is not allowed
 */
export async function postJson(post: JsonPost): Promise<Refused | undefined> {
  const { url, body, ca, token, lookup, signal, mayLeave } = post;
  const headers = {
    ...{ 'content-type': 'application/json', 'user-agent': userAgent },
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const answer = await exchangeHttp({
    ...{ url, method: 'POST', headers, body: JSON.stringify(body), tls: { ca } },
    ...{ lookup, signal, mayLeave, maxResponseSize },
  });
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  const message = wordsOf(url, answer, token === undefined ? [] : [token]);
  return { status, message, retryAfter: String(answer.headers['retry-after'] ?? '') };
}

/**
 * The bearer token in a Secret. A corrected Secret is used without an edit of the resource, so a wrong one is not `terminal`.
 * @param owner whose Secret it is, for people, such as `the webhook`
 * @throws {CallError} `unauthorized`, if the Secret has no usable token
 */
export function bearerToken(secret: Readonly<Record<string, string>>, owner: string): string {
  const token = secret[tokenKey]?.trim() ?? '';
  const refuse = (why: string) => new CallError('unauthorized', `data[${tokenKey}] of ${owner}'s Secret: ${why}`);
  if (token === '') throw refuse(`Required value: must be the bearer token of ${owner}`);
  if (/^[!-~]+$/.test(token)) return token;
  throw refuse('Invalid value: must be printable ASCII characters without spaces');
}

/** Milliseconds that a server asks to wait, or a default. @param now milliseconds since 1970 */
export function waitOf({ retryAfter }: Pick<Refused, 'retryAfter'>, now: number, otherwise: number): number {
  const seconds = retryAfterIn(retryAfter, now);
  return seconds !== undefined && seconds > 0 && Number.isFinite(seconds) ? 1_000 * seconds : otherwise;
}
