import { createHash } from 'node:crypto';
import { type DnsEndpoint, dnsProviderWebhook } from '../../../controllers/publication/ports/webhook.js';
import type { AllowedAddresses } from '../../../egress/allowed-addresses.js';
import { bearerToken } from '../../../egress/json-post.js';
import type { Clock } from '../../../runtime/ports/clock.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import { type Provided, provided, type SecretData } from '../../../runtime/ports/external-port.js';
import { type DomainFilter, isExcluded } from './domain-filter.js';
import { type WebhookAccess, WebhookClient } from './webhook-client.js';

/** Milliseconds for which the records of a webhook answer further questions. */
const fresh = 1_000;
/** Webhooks whose records are remembered. */
const most = 64;

/** What the source of webhooks needs. */
export interface WebhookSourceOptions {
  readonly clock: Pick<Clock, 'after' | 'now' | 'monotonic'>;
  readonly addresses: Pick<AllowedAddresses, 'lookupFor'>;
}

/** What a webhook has, asked for at one time. */
interface Shared {
  /** Monotonic. */
  readonly at: number;
  readonly content: Promise<{ readonly filter: DomainFilter; readonly endpoints: readonly DnsEndpoint[] }>;
}

/**
 * Asks and changes records at webhooks. A webhook lists all of its records at once, so questions within a second share a
 * response. One that was asked for before the end of a change answers no question after it.
 */
export function webhookSource({ clock, addresses }: WebhookSourceOptions): Provided {
  const shared = new Map<string, Shared>();
  const clientOf = (access: WebhookAccess) => new WebhookClient(access, { clock, lookup: addresses.lookupFor });
  const sharedBy = (access: WebhookAccess): Shared => {
    const key = keyOf(access);
    const known = shared.get(key);
    if (known && clock.monotonic() - known.at < fresh) return known;
    const asked = { at: clock.monotonic(), content: contentOf(clientOf(access)) };
    shared.delete(key);
    shared.set(key, asked);
    const [oldest] = shared.size > most ? shared.keys() : [];
    if (oldest !== undefined) shared.delete(oldest);
    // A failure answers those who wait for it alone.
    asked.content.catch(() => {
      if (shared.get(key) === asked) shared.delete(key);
    });
    return asked;
  };
  return provided(
    dnsProviderWebhook,
    async ({ names, wanted, ...to }, { signal, secret }) => {
      signal.throwIfAborted();
      const access = accessOf(to, secret);
      const { filter, endpoints } = await sharedBy(access).content;
      const own = new Set(names.map(canonical));
      return {
        endpoints: endpoints.filter(({ dnsName }) => own.has(canonical(dnsName))).toSorted(byName),
        adjusted: await clientOf(access).adjusted(wanted, signal),
        excluded: names.filter((name) => isExcluded(name, filter)),
      };
    },
    {
      perform: async ({ url, caBundle, ...changes }, { signal, mayLeave, secret }) => {
        const access = accessOf({ url, ...(caBundle !== undefined && { caBundle }) }, secret);
        const { updateOld = [], updateNew = [] } = changes;
        if (updateOld.length !== updateNew.length)
          throw new CallError('terminal', 'updateNew: Invalid value: must have as many items as updateOld');
        try {
          await clientOf(access).apply(changes, { signal, mayLeave });
        } finally {
          shared.delete(keyOf(access));
        }
      },
      concurrency: 16,
      callsPerSecond: 100,
      serverOf: ({ url }) => url,
    },
  );
}

/** It ends by itself, because several questions wait for it. */
async function contentOf(client: WebhookClient) {
  const { signal } = new AbortController();
  const filter = await client.negotiate(signal);
  return { filter, endpoints: await client.records(signal) };
}

function accessOf(
  { url, caBundle: ca }: { readonly url: string; readonly caBundle?: string },
  secret: SecretData | undefined,
): WebhookAccess {
  return { url, ca, token: secret && bearerToken(secret, 'the webhook') };
}

function keyOf(access: WebhookAccess): string {
  return createHash('sha256')
    .update(JSON.stringify([access.url, access.ca, access.token]))
    .digest('base64');
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

function byName(one: DnsEndpoint, other: DnsEndpoint): number {
  const [first, second] = [one, other].map(
    (it) => `${canonical(it.dnsName)} ${it.recordType} ${it.setIdentifier ?? ''}`,
  );
  return (first ?? '') < (second ?? '') ? -1 : 1;
}
