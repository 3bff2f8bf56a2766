import { describe, expect, it, test } from 'vitest';
import type { DnsEndpoint } from '../../../../../operator/controllers/publication/ports/webhook.js';
import type { WantedRecords } from '../../../../../operator/controllers/publication/targets/wanted-records.js';
import {
  readWebhook,
  type WebhookTarget,
  webhookEndpoints,
} from '../../../../../operator/controllers/publication/targets/webhook-target.js';

const zone = 'cloud.example.com';
const name = `billing.${zone}`;
const owner =
  'heritage=external-dns,external-dns/owner=reconstruct-1,external-dns/resource=servicepublication/shop/billing';
const theirs = 'heritage=external-dns,external-dns/owner=default,external-dns/resource=service/shop/billing';
const a: WantedRecords = { name, type: 'A', values: ['10.1.0.1'] };
const stored = webhookEndpoints([a], { zone, owner, ttl: 30 });
const [record, text] = stored as [DnsEndpoint, DnsEndpoint];
const read = (
  endpoints: readonly DnsEndpoint[],
  wanted: readonly WantedRecords[] = [a],
  more: Partial<WebhookTarget> = {},
) =>
  readWebhook({
    ...{ url: 'http://webhook:8888', zone, owner, wanted, names: [name], mayDelete: true },
    ...{ answer: { endpoints, adjusted: webhookEndpoints(wanted, { zone, owner, ttl: 30 }), excluded: [] }, ...more },
  });
const request = (reading: ReturnType<typeof read>) =>
  reading.request?.type === 'webhook' ? reading.request.request : undefined;

describe('a name at a webhook', () => {
  it('is created with an owner record in the format of external-dns', () => {
    expect(request(read([]))).toEqual({ url: 'http://webhook:8888', create: stored });
    expect(text).toMatchObject({ dnsName: `a-${name}`, recordType: 'TXT', targets: [`"${owner}"`] });
  });

  it('needs no change while it has its records, as the provider stores them', () => {
    const rounded = { ...record, recordTTL: 0 };
    expect(read([rounded, { ...text, targets: [owner] }])).toMatchObject({
      request: undefined,
      records: 1,
      held: [name],
    });
  });

  it('is updated from the record that the provider has', () => {
    const reading = read([{ ...record, targets: ['10.1.0.9'] }, text]);
    expect(request(reading)).toMatchObject({ updateOld: [{ targets: ['10.1.0.9'] }], updateNew: [record] });
  });

  it('is deleted with its owner record, and not if nothing may be deleted', () => {
    expect(request(read(stored, []))).toMatchObject({ delete: stored });
    expect(request(read(stored, [], { mayDelete: false }))).toBeUndefined();
  });

  test.each<[what: string, endpoints: readonly DnsEndpoint[], blocked: string]>([
    ['the owner', [record, { ...text, targets: [`"${theirs}"`] }], `A ${name} belongs to "${theirs}"`],
    [
      'the owner, also by names with a final dot and upper-case letters',
      [
        { ...record, dnsName: `${name.toUpperCase()}.` },
        { ...text, dnsName: `${text.dnsName}.`, targets: [`"${theirs}"`] },
      ],
      `A ${name} belongs to "${theirs}"`,
    ],
    [
      'the owner of an earlier version of external-dns',
      [record, { dnsName: name, recordType: 'TXT', targets: [`"${theirs}"`] }],
      `A ${name} belongs to "${theirs}"`,
    ],
    ['records without an owner', [record], `A ${name} has 10.1.0.1 without an owner record`],
    [
      'a CNAME',
      [{ dnsName: name, recordType: 'CNAME', targets: ['x.example.net'] }],
      `CNAME ${name} has x.example.net without an owner record`,
    ],
  ])('of another owner is not changed, and the message has %s', (_, endpoints, blocked) => {
    expect(read(endpoints)).toMatchObject({ blocked: [blocked], request: undefined });
    expect(read(endpoints, [])).toMatchObject({ request: undefined, held: [] });
  });

  it('is taken over if a person names the exact owner', () => {
    const foreign = [record, { ...text, targets: [`"${theirs}"`] }];
    expect(request(read(foreign, [a], { takeOver: theirs }))).toMatchObject({ updateNew: [text] });
    expect(request(read([record], [a], { takeOver: 'unowned' }))).toMatchObject({ create: [text] });
  });

  it('that the webhook excludes or does not support is reported', () => {
    const answer = { endpoints: [], adjusted: [], excluded: [name] };
    expect(read([], [a], { answer }).failed).toEqual([`${name} is excluded by the domain filter of the webhook`]);
    const unsupported = { ...answer, excluded: [] };
    expect(read([], [a], { answer: unsupported }).failed).toEqual([`the provider does not support A ${name}`]);
  });
});
