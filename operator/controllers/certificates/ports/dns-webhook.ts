import type { Port } from '../../../runtime/index.js';

/** One value of a TXT record, and the webhook that changes it. */
export interface WebhookQuestion {
  /** URL below which the webhook serves `present` and `cleanup`. */
  readonly url: string;
  /** CA certificates that the webhook's own certificate must chain to, PEM. @default - those of Node.js */
  readonly caBundle?: string;
  /** The name of the record, without a final dot. */
  readonly name: string;
  readonly value: string;
}

/**
 * What the webhook confirmed last. It has no question for this, so `unknown` is all that a process knows before it sends a
 * request. Whether the value is visible is another question: see `challengeVisibility`.
 */
export interface WebhookAnswer {
  readonly state: 'presented' | 'cleanedUp' | 'unknown';
}

/** Adds or removes the value. Each is without effect if it is done already, so a new process sends it again. */
export interface WebhookRequest extends WebhookQuestion {
  readonly act: 'present' | 'cleanup';
}

/** Webhooks that change TXT records. A poll names no Secret, a call one with the key `token`, if the webhook needs it. */
export const dnsWebhook: Port<WebhookQuestion, WebhookAnswer, WebhookRequest> = {
  name: 'reconstruct/dns-webhook',
  formerName: 'dns-webhook',
  secrets: 'any',
  visibleWithin: 0,
};
