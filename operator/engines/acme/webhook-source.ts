import {
  dnsWebhook,
  type WebhookAnswer,
  type WebhookQuestion,
  type WebhookRequest,
} from '../../controllers/certificates/ports/dns-webhook.js';
import type { HostLookup } from '../../egress/connections.js';
import { bearerToken, postJson } from '../../egress/json-post.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type PerformOptions, type Provided, provided } from '../../runtime/ports/external-port.js';
import { BoundedMap } from './bounded-map.js';

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
  const token = secret && bearerToken(secret, 'the webhook');
  const refused = await postJson({ url, body: { name, value }, ca, token, lookup, signal, mayLeave });
  if (!refused) return;
  const { status, message, retryAfter } = refused;
  throw refusalOf(CallError.fromStatus(status, message, retryAfter, clock.now()));
}

/** A corrected webhook accepts the same request, so it is not `terminal`. */
function refusalOf(error: CallError): CallError {
  if (error.kind !== 'terminal') return error;
  return new CallError('retryable', error.message, { mayHaveEffect: false, retryAfter: refusalLasts });
}
