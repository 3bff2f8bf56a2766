import { request } from 'undici';
import {
  dnsWebhook,
  tokenKey,
  type WebhookAnswer,
  type WebhookQuestion,
  type WebhookRequest,
} from '../../controllers/certificates/ports/dns-webhook.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type PerformOptions, type Provided, provided, type SecretData } from '../../runtime/ports/external-port.js';
import { BoundedMap } from './bounded-map.js';
import { agentFor, checkAddress, failureOf, type HostLookup } from './connections.js';
import { plain } from './problems.js';

/** How the operator reaches webhooks. */
export interface WebhookOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly lookup: HostLookup;
}

/** Values that are remembered. */
const most = 4_096;
/** Milliseconds. The next reconcile records a confirmation, and another process may have changed the value since. */
const confirmationLasts = 600_000;
/** Milliseconds until a refused request is sent again, because nothing tells when somebody has corrected the webhook. */
const refusalLasts = 600_000;
/** Bytes of an answer. */
const maxResponseSize = 65_536;

/** Sends changes of TXT records to webhooks, and remembers what a webhook has confirmed. */
export function webhookSource(options: WebhookOptions): Provided {
  const { clock } = options;
  const confirmed = new BoundedMap<WebhookAnswer & { readonly until: number }>(most);
  return provided(
    dnsWebhook,
    async (question, { signal }) => {
      signal.throwIfAborted();
      const known = confirmed.get(keyOf(question));
      return { state: known && clock.now() < known.until ? known.state : 'unknown' };
    },
    {
      perform: async (call, performing) => {
        // Until the answer, neither state is known.
        confirmed.delete(keyOf(call));
        await sendTo(call, performing, options);
        const state = call.act === 'present' ? 'presented' : 'cleanedUp';
        confirmed.set(keyOf(call), { state, until: clock.now() + confirmationLasts });
      },
    },
  );
}

function keyOf({ url, name, value }: WebhookQuestion): string {
  return JSON.stringify([url, name, value]);
}

/** @throws {CallError} if the webhook does not confirm the request */
async function sendTo(
  { url: base, caBundle: ca, act, name, value }: WebhookRequest,
  { signal, mayLeave, secret }: PerformOptions,
  { clock, lookup }: WebhookOptions,
): Promise<void> {
  const url = new URL(`${base.replace(/\/$/, '')}/${act}`);
  const token = secret && tokenIn(secret);
  checkAddress(url, lookup);
  signal.throwIfAborted();
  const dispatcher = agentFor(lookup, { connect: { ...(ca !== undefined && { ca }) }, maxResponseSize });
  const headers = {
    ...{ 'content-type': 'application/json', 'user-agent': 'cdk8s-reconstruct' },
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  mayLeave();
  try {
    const body = JSON.stringify({ name, value });
    const answer = await request(url, { dispatcher, signal, method: 'POST', headers, body });
    const text = await answer.body.text();
    const { statusCode: status, headers: answered } = answer;
    if (status >= 200 && status < 300) return;
    const said = plain(token === undefined ? text : text.replaceAll(token, '…'));
    const message = `${url.host} answered ${status}${said === '' ? '' : `: ${said}`}`;
    throw refusalOf(CallError.fromStatus(status, message, String(answered['retry-after'] ?? ''), clock.now()));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof CallError) throw error;
    throw new CallError('unreachable', `${url.host}: ${failureOf(error)}`);
  } finally {
    await dispatcher.destroy();
  }
}

/** A corrected webhook accepts the same request, so it is not `terminal`. */
function refusalOf(error: CallError): CallError {
  if (error.kind !== 'terminal') return error;
  return new CallError('retryable', error.message, { mayHaveEffect: false, retryAfter: refusalLasts });
}

/** A corrected Secret is used without an edit of the resource, so a wrong one is not `terminal`. */
function tokenIn(secret: SecretData): string {
  const token = secret[tokenKey]?.trim() ?? '';
  const refuse = (why: string) => new CallError('unauthorized', `data[${tokenKey}] of the webhook's Secret: ${why}`);
  if (token === '') throw refuse('Required value: must be the bearer token of the webhook');
  if (/^[!-~]+$/.test(token)) return token;
  throw refuse('Invalid value: must be printable ASCII characters without spaces');
}
