import type { DnsEndpoint } from '../../../controllers/publication/ports/webhook.js';
import type { HostLookup } from '../../../egress/connections.js';
import { exchangeHttp, wordsOf } from '../../../egress/http-exchange.js';
import { linked } from '../../../runtime/concurrency/abort-signals.js';
import type { Clock } from '../../../runtime/ports/clock.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import { type DomainFilter, domainFilterIn } from './domain-filter.js';

/** The media type of the protocol, with its version. */
const mediaType = 'application/external.dns.webhook+json;version=1';
/** Milliseconds for one request. Providers ask a cloud meanwhile. */
const patience = 20_000;
/** Bytes of a response. A record has about 200. */
const maxResponseSize = 16 * 1_048_576;

/** A webhook, and the credentials for it. */
export interface WebhookAccess {
  readonly url: string;
  /** PEM. @default - the certificates of Node.js */
  readonly ca?: string | undefined;
  /** A bearer token, which reaches no message. @default - the webhook needs none */
  readonly token?: string | undefined;
}

/** What the client of webhooks needs. */
export interface WebhookOptions {
  readonly clock: Pick<Clock, 'after' | 'now'>;
  readonly lookup: HostLookup;
}

/** One request of the protocol. */
interface Sent {
  readonly method: 'GET' | 'POST';
  /** Below the URL of the webhook. */
  readonly path: 'records' | 'adjustendpoints' | '';
  readonly body?: unknown;
  readonly signal: AbortSignal;
  readonly mayLeave?: () => void;
}

/** A client of one webhook. */
export class WebhookClient {
  constructor(
    readonly access: WebhookAccess,
    readonly options: WebhookOptions,
  ) {}

  /** The domains for which the webhook changes records. @throws {CallError} if it does not speak this version */
  async negotiate(signal: AbortSignal): Promise<DomainFilter> {
    const { headers, text } = await this.#send({ method: 'GET', path: '', signal });
    const type = String(headers['content-type'] ?? '');
    if (type.replaceAll(' ', '').toLowerCase() !== mediaType)
      throw this.#malformed(`with the media type ${JSON.stringify(type.slice(0, 100))}: must be ${mediaType}`);
    return domainFilterIn(this.#json(text));
  }

  /** All records that the webhook has. */
  async records(signal: AbortSignal): Promise<readonly DnsEndpoint[]> {
    return this.#endpoints((await this.#send({ method: 'GET', path: 'records', signal })).text);
  }

  /** How the provider stores endpoints. */
  async adjusted(wanted: readonly DnsEndpoint[], signal: AbortSignal): Promise<readonly DnsEndpoint[]> {
    if (wanted.length === 0) return [];
    return this.#endpoints((await this.#send({ method: 'POST', path: 'adjustendpoints', body: wanted, signal })).text);
  }

  /** Changes records. */
  async apply(body: object, { signal, mayLeave }: Required<Pick<Sent, 'signal' | 'mayLeave'>>): Promise<void> {
    await this.#send({ method: 'POST', path: 'records', body, signal, mayLeave });
  }

  async #send({ method, path, body, signal: until, mayLeave }: Sent) {
    const { token, ca } = this.access;
    const { clock, lookup } = this.options;
    const url = this.#url(path);
    const { signal, abort, release } = linked(until);
    const cancel = clock.after(patience, () =>
      abort(new CallError('unreachable', `${url.host} does not answer within ${patience} ms`)),
    );
    try {
      const answer = await exchangeHttp({
        ...{ url, method, signal, lookup, maxResponseSize, tls: { ca } },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(mayLeave && { mayLeave }),
        headers: {
          ...{ accept: mediaType, 'user-agent': 'cdk8s-reconstruct' },
          ...(body !== undefined && { 'content-type': mediaType }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
      });
      const { status, headers } = answer;
      if (status >= 200 && status < 300) return answer;
      const message = wordsOf(url, answer, token === undefined ? [] : [token]);
      throw CallError.fromStatus(status, message, String(headers['retry-after'] ?? ''), clock.now());
    } finally {
      cancel();
      release();
    }
  }

  /** @throws {CallError} `terminal`, if the address of the webhook is no URL */
  #url(path: string): URL {
    const { url: text } = this.access;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
      throw new CallError('terminal', 'url: Invalid value: must be an http or https URL without a user');
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
    return url;
  }

  #endpoints(text: string): readonly DnsEndpoint[] {
    const value = this.#json(text);
    if (value === null) return []; // Go writes an empty list like this.
    if (Array.isArray(value) && value.every(isEndpoint)) return value.map(withTargets);
    throw this.#malformed('with something else than a list of endpoints');
  }

  #json(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.#malformed('with text that is not JSON');
    }
  }

  #malformed(how: string): CallError {
    return new CallError('retryable', `${this.#url('').host} answered ${how}`);
  }
}

/** Go omits a list without items. */
function withTargets(endpoint: DnsEndpoint): DnsEndpoint {
  const { targets = [] } = endpoint as { readonly targets?: DnsEndpoint['targets'] };
  return { ...endpoint, targets };
}

function isEndpoint(value: unknown): value is DnsEndpoint {
  const { dnsName, recordType, targets } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isText = (one: unknown) => typeof one === 'string';
  return (
    isText(dnsName) &&
    isText(recordType) &&
    (targets === undefined || (Array.isArray(targets) && targets.every(isText)))
  );
}
