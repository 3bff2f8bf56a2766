import {
  type DnsEndpoint,
  dnsProviderWebhook,
  type WebhookRequest,
} from '../../../../operator/controllers/publication/ports/webhook.js';
import { CallError } from '../../../../operator/runtime/ports/external-call.js';
import { type PortModel, portModel } from '../../../../operator/testing/index.js';

/** All endpoints of a provider. */
export type ModelEndpoints = readonly DnsEndpoint[];

/** The shortest TTL that the provider of the contract stores. */
export const leastTtl = 60;

/** A provider with the domain of the contract, as pure functions. A real server of the protocol has the same behaviour. */
export function webhookModel(state: ModelEndpoints = []): PortModel {
  return portModel(dnsProviderWebhook, {
    state,
    answer: (endpoints, { names, wanted }) => ({
      endpoints: endpoints.filter(({ dnsName }) => names.includes(dnsName)).toSorted(byName),
      adjusted: wanted.map(adjusted),
      excluded: names.filter((name) => !isServed(name)),
    }),
    perform: (endpoints, request) => {
      if ((request.updateOld ?? []).length !== (request.updateNew ?? []).length)
        throw new CallError('terminal', 'updateNew: Invalid value: must have as many items as updateOld');
      return appliedTo(endpoints, request);
    },
    showsWithin: 0,
  });
}

/** The endpoints after a request, as providers apply it. */
export function appliedTo(
  endpoints: ModelEndpoints,
  { create = [], updateOld = [], updateNew = [], delete: deleted = [] }: Omit<WebhookRequest, 'url'>,
): ModelEndpoints {
  const gone = new Set([...updateOld, ...deleted, ...create].map(keyOf));
  const added = [...create, ...updateNew].filter(({ dnsName }) => isServed(dnsName));
  return [...endpoints.filter((one) => !gone.has(keyOf(one))), ...added].toSorted(byName);
}

/** How the provider stores an endpoint. */
export function adjusted(endpoint: DnsEndpoint): DnsEndpoint {
  return { ...endpoint, recordTTL: Math.max(leastTtl, endpoint.recordTTL ?? 0) };
}

function isServed(name: string): boolean {
  return name === 'example.com' || name.endsWith('.example.com');
}

function keyOf({ dnsName, recordType, setIdentifier = '' }: DnsEndpoint): string {
  return `${dnsName} ${recordType} ${setIdentifier}`;
}

function byName(one: DnsEndpoint, other: DnsEndpoint): number {
  return keyOf(one) < keyOf(other) ? -1 : 1;
}
