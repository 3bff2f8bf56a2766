import { describe, expect, test } from 'vitest';
import {
  type DnsEndpoint,
  dnsProviderWebhook,
  type WebhookAnswer,
  type WebhookQuestion,
  type WebhookRequest,
} from '../../../../operator/controllers/publication/ports/webhook.js';
import type { Perform, Provided, Source } from '../../../../operator/runtime/ports/external-port.js';
import { portContract } from '../../../../operator/testing/index.js';
import { leastTtl } from './webhook-model.js';

/** A webhook, and the source of its records. */
export interface ContractWebhook {
  readonly url: string;
  readonly provided: Provided;
}

const name = 'billing.example.com';
const endpoint = (targets: readonly string[], changes: Partial<DnsEndpoint> = {}): DnsEndpoint => ({
  ...{ dnsName: name, recordType: 'A', targets, recordTTL: 60, ...changes },
});
const owner = endpoint(['"heritage=external-dns,external-dns/owner=reconstruct-7"'], {
  ...{ dnsName: `a-${name}`, recordType: 'TXT' },
});

/** What holds for each webhook. @param start one without records, for the domain `example.com` */
export function webhookContract(start: () => Promise<ContractWebhook>): void {
  const begin = async () => {
    const { provided, url } = await start();
    const { signal } = new AbortController();
    const perform = provided.performer?.perform as Perform<WebhookRequest>;
    const source = provided.source as unknown as Source<WebhookQuestion, WebhookAnswer>;
    return {
      ask: (names: readonly string[] = [name], wanted: readonly DnsEndpoint[] = []) =>
        source({ url, names, wanted }, { signal }),
      send: (request: Omit<WebhookRequest, 'url'>) => perform({ url, ...request }, { signal, mayLeave: () => {} }),
    };
  };

  test('has the endpoints of the names that are asked for, after each change', async () => {
    const { ask, send } = await begin();
    await send({ create: [endpoint(['192.0.2.1']), owner, endpoint(['192.0.2.9'], { dnsName: 'b.example.com' })] });
    expect((await ask([`a-${name}`, name])).endpoints).toEqual([owner, endpoint(['192.0.2.1'])]);
    await send({ updateOld: [endpoint(['192.0.2.1'])], updateNew: [endpoint(['192.0.2.1', '192.0.2.2'])] });
    expect((await ask()).endpoints).toEqual([endpoint(['192.0.2.1', '192.0.2.2'])]);
    await send({ delete: [endpoint(['192.0.2.1', '192.0.2.2']), owner] });
    expect((await ask([`a-${name}`, name])).endpoints).toEqual([]);
    expect((await ask(['b.example.com'])).endpoints).toHaveLength(1);
  });

  test('says how the provider stores what is wanted', async () => {
    const { ask } = await begin();
    const wanted = [endpoint(['192.0.2.1'], { recordTTL: 5 }), endpoint(['192.0.2.1'], { recordTTL: 300 })];
    expect((await ask([name], wanted)).adjusted.map(({ recordTTL }) => recordTTL)).toEqual([leastTtl, 300]);
  });

  test('says which names are not in its domains', async () => {
    const { ask } = await begin();
    const names = ['a.example.com', 'example.com', 'a.example.org', 'badexample.com'];
    expect((await ask(names)).excluded).toEqual(['a.example.org', 'badexample.com']);
  });

  describe('as a port', async () => {
    const { url } = await start();
    const contract = portContract({
      port: dnsProviderWebhook,
      start: async () => (await start()).provided,
      question: { url, names: [name], wanted: [] },
      before: { endpoints: [], adjusted: [], excluded: [] },
      request: { url, create: [endpoint(['192.0.2.1'])] },
      after: { endpoints: [endpoint(['192.0.2.1'])], adjusted: [], excluded: [] },
      refused: { url, updateNew: [endpoint(['192.0.2.1'])] },
    });
    for (const { name: title, holds } of contract) test(title, holds);
  });
}
