import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InputOf, servicePublication, servicePublicationSpec, withDefaults } from '../../crds/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { canonical } from './canonical.js';
import { ApiServer } from './given-api-server.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  await server.serve(servicePublication);
});
afterAll(() => server.close());

const dns = { server: '10.0.0.53', zone: 'corp.example.com', name: 'billing', tsigSecretRef: { name: 'ddns' } };
const { name: _, ...routeDns } = dns;
const haproxy = { address: '10.0.0.9:9999', backend: 'billing' };
const webhook = { url: 'http://dns-webhook.dns:8888', zone: 'cloud.example.com', name: 'billing' };
const etcd = { endpoints: ['https://10.0.0.5:2379'], key: '/skydns/com/example/billing' };
const file = { configMap: 'billing', format: 'JSON' as const };
const least = { service: 'billing', targets: [{ dns }] };
const tried = (spec: object, name = 'billing') => server.tried(servicePublication, { metadata: { name }, spec });

describe('the API server', () => {
  it.each<InputOf<typeof servicePublicationSpec>>([
    least,
    { service: 'billing', targets: [{ dns }, { file }, { haproxy }, { webhook }, { etcd }] },
    { service: 'billing', targets: [{ dns: { ...dns, name: '@' } }, { dns: { ...dns, name: '*.shop' } }] },
    { service: 'billing', targets: [{ dns: { ...dns, zone: 'bücher.example', name: 'straße' } }] },
    { service: 'billing', targets: [{ dns: { ...dns, name: 'billing.corp.example.com.', srv: ['http'] } }] },
    {
      service: 'billing',
      addresses: 'Nodes',
      targets: [{ haproxy: { ...haproxy, address: '[fd00::9]:9999', port: 8080 } }],
    },
    { gateway: 'public', targets: [{ dns: routeDns }], onEmpty: 'Withdraw', policy: 'DryRun', drain: '0s' },
    { httpRoute: 'billing', targets: [{ dns: routeDns }], policy: 'UpsertOnly' },
  ])('fills in what the constructs do: %j', async (spec) => {
    const answer = await tried(spec);
    expect(answer.body.message).toBeUndefined();
    expect(canonical(answer.body.spec)).toBe(canonical(withDefaults(servicePublicationSpec, spec)));
  });

  const invalid = (field: string) => `spec${field}: Invalid value`;
  it.each<[spec: object, path: string, message: string]>([
    [{ targets: [{ dns }] }, invalid(''), 'must have exactly one source; set service, gateway or httpRoute'],
    [{ ...least, gateway: 'public' }, invalid(''), 'must have exactly one source'],
    [{ ...least, targets: [] }, invalid('.targets'), 'should have at least 1 items'],
    [{ ...least, targets: Array(9).fill({ dns }) }, 'spec.targets: Too many', 'must have at most 8 items'],
    [
      { ...least, targets: [{}] },
      invalid('.targets[0]'),
      'must have exactly one type; set dns, file, haproxy, webhook or etcd',
    ],
    [{ ...least, targets: [{ dns, file }] }, invalid('.targets[0]'), 'must have exactly one type'],
    [{ ...least, targets: [{ dns }, { dns }] }, invalid('.targets'), 'must not have two targets with the same place'],
    [{ ...least, targets: [{ file }, { file }] }, invalid('.targets'), 'must not have two targets with the same place'],
    [
      { ...least, targets: [{ haproxy }, { haproxy }] },
      invalid('.targets'),
      'must not have two targets with the same place',
    ],
    [
      { ...least, targets: [{ dns: routeDns }] },
      invalid('.targets'),
      'must have a name for each dns and webhook target of a Service',
    ],
    [{ gateway: 'public', targets: [{ dns }] }, invalid('.targets'), 'must have neither name nor srv without service'],
    [
      { gateway: 'public', addresses: 'Nodes', targets: [{ file }] },
      invalid('.addresses'),
      'must be absent without service',
    ],
    [
      { ...least, targets: [{ dns: { ...dns, name: 'billing.example.org.' } }] },
      invalid('.targets[0].dns.name'),
      'must be in the zone',
    ],
    [
      { ...least, targets: [{ dns: { ...dns, name: 'a b' } }] },
      invalid('.targets[0].dns.name'),
      'must be a DNS name, such as billing',
    ],
    [
      { ...least, targets: [{ dns: { ...dns, zone: 'corp.example.com.' } }] },
      invalid('.targets[0].dns.zone'),
      'without a final dot',
    ],
    [
      { ...least, targets: [{ dns: { ...dns, server: '10.0.0.53/x' } }] },
      invalid('.targets[0].dns.server'),
      'must be a host name or an IP address',
    ],
    [
      { ...least, targets: [{ dns: { ...dns, ttl: '25h' } }] },
      invalid('.targets[0].dns.ttl'),
      'must be from 0s to 24h',
    ],
    [
      { ...least, targets: [{ haproxy: { ...haproxy, address: '10.0.0.9' } }] },
      invalid('.targets[0].haproxy.address'),
      'must be a host and a port',
    ],
    [
      { ...least, targets: [{ webhook: { ...webhook, url: 'http://u@dns' } }] },
      invalid('.targets[0].webhook.url'),
      'must be an http or https URL',
    ],
    [
      { ...least, targets: [{ etcd: { ...etcd, key: 'skydns' } }] },
      invalid('.targets[0].etcd.key'),
      'must be segments after slashes',
    ],
    [
      { ...least, targets: [{ etcd: { ...etcd, port: 'A' } }] },
      invalid('.targets[0].etcd.port'),
      'must be the name of a port or a number',
    ],
    [{ ...least, drain: '2h' }, invalid('.drain'), 'must be from 0s to 1h'],
    [
      { ...least, targets: [{ file: { ...file, format: 'YAML' } }] },
      'spec.targets[0].file.format: Unsupported value',
      'supported values: "Hosts"',
    ],
  ])('refuses %j', async (spec, path, message) => {
    const { body } = await tried(spec);
    expect(body.message).toContain(path);
    expect(body.message).toContain(message);
  });

  it('refuses a name that owner records cannot have', async () => {
    const { body } = await tried(least, 'a'.repeat(64));
    expect(body.message).toContain('must have a name that fits into its owner records; use up to 63 characters');
  });
});
