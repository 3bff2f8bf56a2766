import type { Port } from '../../../runtime/index.js';

/** A webhook of a DNS provider, as external-dns has them. */
export interface DnsProviderWebhook {
  /** URL below which it serves `records` and `adjustendpoints`. */
  readonly url: string;
  /** CA certificates that the webhook's own certificate must chain to, PEM. @default - those of Node.js */
  readonly caBundle?: string;
}

/** Records of one name and type, in external-dns' own words. */
export interface DnsEndpoint {
  /** Without a final dot. */
  readonly dnsName: string;
  /** Such as `A`. */
  readonly recordType: string;
  /** Values of the records. Some providers return a TXT value in quotes. */
  readonly targets: readonly string[];
  /** Seconds. @default - the provider's */
  readonly recordTTL?: number;
  /** Tells records of one name and type apart that a provider selects by a policy. @default - there is no such policy */
  readonly setIdentifier?: string;
  /** Settings that only this provider has. @default - none */
  readonly providerSpecific?: readonly { readonly name: string; readonly value: string }[];
  /** Of no meaning to providers, but some keep them. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Names at a webhook, and the records that they should have. */
export interface WebhookQuestion extends DnsProviderWebhook {
  /** The names whose records are asked for, without a final dot. */
  readonly names: readonly string[];
  /** The records that should exist. Its provider answers how it would store them. */
  readonly wanted: readonly DnsEndpoint[];
}

/** What a webhook has. */
export interface WebhookAnswer {
  /** All endpoints with one of the names, by name, then by type. */
  readonly endpoints: readonly DnsEndpoint[];
  /**
   * `wanted`, as the provider stores it, which may round a TTL or add settings. Compare these with `endpoints`, and send
   * these. The provider may omit an endpoint that it does not support.
   */
  readonly adjusted: readonly DnsEndpoint[];
  /** Names that the webhook's domain filter excludes. A provider ignores changes of them. */
  readonly excluded: readonly string[];
}

/** Changes in the form of external-dns. Empty lists may be omitted. */
export interface WebhookRequest extends DnsProviderWebhook {
  readonly create?: readonly DnsEndpoint[];
  /** As `endpoints` of the answer has them, with the same length and order as `updateNew`. */
  readonly updateOld?: readonly DnsEndpoint[];
  readonly updateNew?: readonly DnsEndpoint[];
  /** As `endpoints` of the answer has them. */
  readonly delete?: readonly DnsEndpoint[];
}

/**
 * Records at webhooks that implement external-dns' protocol. The protocol has no prerequisites: a change that somebody else
 * makes between an answer and a request is overwritten. A question or request may name a Secret with the key `token`, a
 * bearer token. Questions to one webhook at one time share a response, which is never older than the last request.
 * @see https://kubernetes-sigs.github.io/external-dns/latest/docs/tutorials/webhook-provider/
 */
export const dnsProviderWebhook: Port<WebhookQuestion, WebhookAnswer, WebhookRequest> = {
  name: 'reconstruct/external-dns-webhook',
  secrets: 'any',
};
