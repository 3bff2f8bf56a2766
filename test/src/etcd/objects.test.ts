import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import {
  EtcdMemberClaim,
  EtcdSharedObjects,
  etcdImage,
  etcdMemberName,
  etcdProblems,
  etcdSerialOf,
  KubeEtcdCluster,
} from '../../../src/index.js';
import { type Rendered, revisionOf, sharedObjects, specOf } from './given-etcd.js';

const named = (kind: string, name: string, input = {}): Rendered =>
  sharedObjects(input).find((one) => one.kind === kind && one.metadata.name === name);

describe('the Services', () => {
  test('of the members has all addresses, before the members are ready', () => {
    expect(named('Service', 'store-peers').spec).toMatchObject({
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: { 'reconstruct.dev/etcd-cluster': 'store' },
      ports: [{ port: 2379 }, { port: 2380 }, { port: 2381 }],
    });
  });

  test('of clients has the ready members', () => {
    const { selector, ports, publishNotReadyAddresses } = named('Service', 'store-client').spec;
    expect(selector).toEqual({ 'reconstruct.dev/etcd-cluster': 'store' });
    expect(ports.map(({ port }: Rendered) => port)).toEqual([2379]);
    expect(publishNotReadyAddresses).toBeUndefined();
  });
});

describe('the budget', () => {
  test.each([
    [2, {}],
    [4, { replicas: 5 }],
    [3, { voters: 4 }],
    [2, { voters: 2 }],
    [undefined, { replicas: 1 }],
  ])('keeps %s Pods with %j', (minAvailable, input) => {
    expect(named('PodDisruptionBudget', 'store', input)?.spec.minAvailable).toBe(minAvailable);
  });
});

describe('the certificates', () => {
  test('are of one Issuer, and only that of the members has names and the common name of a member', () => {
    expect(named('Issuer', 'store-ca').spec.ca.commonName).toBe('store etcd CA');
    const certificates = sharedObjects().filter(({ kind }) => kind === 'Certificate');
    expect(certificates.map(({ spec }) => [spec.secretName, spec.commonName, spec.usages.slice(1)])).toEqual([
      ['store-member-tls', 'store-member', ['server auth', 'client auth']],
      ['store-operator-tls', 'store-operator', ['client auth']],
      ['store-client-tls', 'store-client', ['client auth']],
    ]);
    for (const { spec } of certificates) expect(spec.issuer).toEqual({ kind: 'Issuer', name: 'store-ca' });
    expect(certificates.map(({ spec }) => spec.dnsNames)).toEqual([
      [
        ...['*.store-peers.shop.svc', '*.store-peers.shop.svc.cluster.local', 'store-client', 'store-client.shop'],
        ...['store-client.shop.svc', 'store-client.shop.svc.cluster.local', 'localhost'],
      ],
      undefined,
      undefined,
    ]);
  });
});

describe('the network policy', () => {
  test('opens the port of members to members alone', () => {
    const podSelector = { matchLabels: { 'reconstruct.dev/etcd-cluster': 'store' } };
    expect(named('NetworkPolicy', 'store').spec.ingress).toEqual([
      { from: [{ podSelector }], ports: [{ port: 2380, protocol: 'TCP' }] },
      {
        ports: [
          { port: 2379, protocol: 'TCP' },
          { port: 2381, protocol: 'TCP' },
        ],
      },
    ]);
  });
});

describe('the volume of a member', () => {
  test('has the size and the class of the spec, and names its cluster', () => {
    const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
    const { storage } = specOf({ storage: { size: '4Gi', storageClassName: 'fast' } });
    new EtcdMemberClaim(chart, 'claim', { name: 'store', member: 'store-2', storage, token: 'uid' });
    expect(chart.toJson()[0]).toMatchObject({
      kind: 'PersistentVolumeClaim',
      metadata: {
        ...{ name: 'store-2', namespace: 'shop', annotations: { 'reconstruct.dev/etcd-token': 'uid' } },
        labels: { 'reconstruct.dev/etcd-cluster': 'store', 'reconstruct.dev/etcd-member': 'store-2' },
      },
      spec: { storageClassName: 'fast', resources: { requests: { storage: '4Gi' } } },
    });
  });
});

describe('the name of a member', () => {
  test.each([
    ['store-1', 1],
    ['store-12', 12],
    ['store-0', undefined],
    ['store-01', undefined],
    ['store-1-1', undefined],
    ['store', undefined],
    ['other-1', undefined],
  ])('%s has the serial %s', (name, serial) => {
    expect(etcdSerialOf('store', name)).toBe(serial);
    if (serial !== undefined) expect(etcdMemberName('store', serial)).toBe(name);
  });
});

describe('the image', () => {
  test.each([
    [undefined, undefined, 'registry.alien6.io/reconstruct/etcd:3.4.23'],
    [undefined, 'registry.example.com/etcd', 'registry.example.com/etcd:3.4.23'],
    ['etcd:v3.4.37', 'registry.example.com/etcd', 'etcd:v3.4.37'],
  ])('of the spec %s and the repository %s is %s', (image, repository, expected) => {
    expect(etcdImage({ ...(image && { image }) }, repository)).toBe(expected);
  });
});

describe('members start again', () => {
  test.each([
    ['the image', { image: 'etcd:v3.4.37' }],
    ['the resources', { resources: { limits: { memory: '2Gi' } } }],
    ['the Pod template', { podTemplate: { labels: { team: 'a' } } }],
    ['the size of the volume, from which the limit of the data follows', { storage: { size: '4Gi' } }],
  ])('after a change of %s', (_, input) => {
    expect(revisionOf(input)).not.toBe(revisionOf());
  });

  test('for another CA, which etcd reads only when it starts', () => {
    expect(revisionOf({}, 'b')).not.toBe(revisionOf());
  });
});

test.each([{ deletionPolicy: 'Delete' as const }, { replaceAfter: '1h' }, { storage: { size: '2048Mi' } }])(
  'members do not start again after the change %j',
  (input) => {
    expect(revisionOf(input)).toBe(revisionOf());
  },
);

describe('cdk8s synth refuses', () => {
  test.each([
    [{ replicas: 2 }, 'replicas: Invalid value: 2: must be an odd number'],
    [{ storage: { size: '500Mi' } }, 'storage.size: Invalid value: "500Mi": must be at least 1Gi'],
    [
      { resources: { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } } },
      'resources.requests.memory: Invalid value: "2Gi": must be at most limits.memory',
    ],
  ])('%j', (input, problem) => {
    expect(etcdProblems(specOf(input))).toEqual([expect.stringContaining(problem)]);
    const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
    const { node } = new EtcdSharedObjects(chart, 'store', input);
    expect(node.validate()).toEqual([expect.stringContaining(problem)]);
  });

  test('the resource with an even number of members', () => {
    const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
    const { node } = new KubeEtcdCluster(chart, 'store', { spec: { replicas: 4 } });
    expect(node.validate()).toEqual([
      expect.stringContaining('spec.replicas: Invalid value: 4: must be an odd number'),
    ]);
  });

  test.each(['Store', '1st', `s${'t'.repeat(40)}`])('the name %s', (name) => {
    const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
    const { node } = new EtcdSharedObjects(chart, 'store', { name });
    expect(node.validate()[0]).toContain('name: Invalid value');
  });
});
