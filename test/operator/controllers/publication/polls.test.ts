import { expect, it } from 'vitest';
import { servicePublication } from '../../../../operator/controllers/publication/service-publication/index.js';
import type { StableFacts } from '../../../../operator/runtime/controller/polls.js';
import { dns, givenPublication } from './given-publication.js';

const zoned = { url: 'http://dns-webhook.dns:8888', zone: 'corp.example.com', name: 'billing' };
const webhook = { target: { webhook: zoned }, claim: { type: 'webhook', url: zoned.url, zone: zoned.zone } };
const server = { type: 'dns', server: dns.server, port: 53, zone: dns.zone, secret: 'ddns' };
const etcd = { endpoints: ['https://10.0.0.5:2379'], key: '/skydns/com/example/billing' };
const backend = { address: '10.0.0.9:9999', backend: 'billing' };

it.each<readonly [string, object, object]>([
  ['dns', { dns }, { ...server, names: ['billing.corp.example.com', 'old.corp.example.com'] }],
  ['webhook', webhook.target, { ...webhook.claim, names: ['billing.corp.example.com', 'old.corp.example.com'] }],
  ['etcd', { etcd }, { type: 'etcd', ...etcd }],
])('%s is asked each minute, and each 15 s while names are withdrawn', (type, target, claim) => {
  const asked = (status: object) => askedFor(type, target, status);
  expect(asked({ claims: [claim] })?.interval).toBe(60_000);
  expect(asked({ claims: [{ ...claim, leavingSince: '2030-01-01T00:00:00Z' }] })?.interval).toBe(15_000);
});

it('HAProxy is asked each 10 s, because it forgets the servers at its restart', () => {
  expect(askedFor('haproxy', { haproxy: backend }, {})?.interval).toBe(10_000);
});

/** The question of the only target. */
function askedFor(type: string, target: object, status: object) {
  const resource = givenPublication({ targets: [target] as never }, { status: status as never });
  const reads = { service: undefined, slices: [], nodes: [], configMaps: [], rivals: [], gateways: [] };
  const facts = { resource, reads, owned: { of: () => [] }, isServed: () => true };
  return servicePublication.polls[`${type}0`]?.request(facts as unknown as StableFacts);
}
