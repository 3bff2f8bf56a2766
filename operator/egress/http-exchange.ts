import { request } from 'undici';
import { CallError } from '../runtime/ports/external-call.js';
import { agentFor, checkAddress, failureOf, type HostLookup, isUnsent } from './connections.js';

/** Characters of a server's text in a message. */
const longest = 1_000;

/** A request to a server whose URL is in a resource. */
export interface HttpExchange {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** @default - no body */
  readonly body?: string;
  /** Certificates of the connection, PEM. `ca`: those that the server's own must chain to. @default - those of Node.js */
  readonly tls?: {
    readonly ca?: string | undefined;
    readonly cert?: string | undefined;
    readonly key?: string | undefined;
  };
  /** Refuses what the operator's allow-list does not have. */
  readonly lookup: HostLookup;
  readonly signal: AbortSignal;
  /** Throws if the request must not be sent any more. @default - it may always be sent */
  readonly mayLeave?: () => void;
  /** Bytes of a response, beyond which it fails. */
  readonly maxResponseSize: number;
}

/** The response of a server, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/**
 * Sends a request once, over a connection of its own. Redirects are not followed, because they could lead to another server.
 * @throws {CallError} if no server answers, or if its address is not allowed
 * @throws the reason of the signal if that aborts
 */
export async function exchangeHttp(exchange: HttpExchange): Promise<HttpAnswer> {
  const { url, method, headers, body, tls, lookup, signal, mayLeave, maxResponseSize } = exchange;
  checkAddress(url, lookup);
  signal.throwIfAborted();
  const set = Object.entries(tls ?? {}).filter(([, value]) => value !== undefined);
  const dispatcher = agentFor(lookup, { connect: Object.fromEntries(set), maxResponseSize });
  try {
    mayLeave?.();
    const sent = { ...(headers && { headers }), ...(body !== undefined && { body }) };
    const answer = await request(url, { dispatcher, signal, method, ...sent });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof CallError) throw error;
    throw new CallError('unreachable', `${url.host}: ${failureOf(error)}`, { mayHaveEffect: !isUnsent(error) });
  } finally {
    await dispatcher.destroy();
  }
}

/** The host, the status and the words of a server in one line, for people. @param secrets are replaced */
export function wordsOf({ host }: URL, { status, text }: HttpAnswer, secrets: readonly string[] = []): string {
  const said = oneLine(secrets.reduce((all, secret) => all.replaceAll(secret, '…'), text));
  return `${host} answered ${status}${said === '' ? '' : `: ${said}`}`;
}

/** One line of a server's text, because it reaches conditions and logs. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longest);
}
