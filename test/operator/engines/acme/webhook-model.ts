import { dnsWebhook, type WebhookAnswer } from '../../../../operator/controllers/certificates/ports/dns-webhook.js';
import { portModel } from '../../../../operator/testing/index.js';

/** A webhook, and what it confirmed, by name and value. */
export const webhookModel = portModel(dnsWebhook, {
  state: {} as Readonly<Record<string, WebhookAnswer['state']>>,
  answer: (confirmed, { name, value }): WebhookAnswer => ({ state: confirmed[`${name} ${value}`] ?? 'unknown' }),
  perform: (confirmed, { act, name, value }) => ({
    ...confirmed,
    [`${name} ${value}`]: act === 'present' ? ('presented' as const) : ('cleanedUp' as const),
  }),
});
