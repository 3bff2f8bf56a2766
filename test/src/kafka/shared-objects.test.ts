import { describe, expect, test } from 'vitest';
import {
  firstDirectoryId,
  kafkaClusterId,
  kafkaImage,
  kafkaNodeName,
  kafkaProblems,
  metadataLevels,
} from '../../../src/index.js';
import { least, type Rendered, sharedObjects, specOf } from './given-cluster.js';

const named = (kind: string, name: string, input: object = {}): Rendered =>
  sharedObjects(input).find((one) => one.kind === kind && one.metadata.name === name);

describe('the Services', () => {
  const listeners = [
    { name: 'internal', port: 9092 },
    { name: 'partners', port: 9093 },
  ];
  test('of the nodes has all addresses, before the nodes are ready', () => {
    expect(named('Service', 'events-nodes', { listeners }).spec).toMatchObject({
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: { 'reconstruct.dev/kafka-cluster': 'events' },
      ports: [{ port: 9090 }, { port: 9091 }, { port: 9092 }, { port: 9093 }],
    });
  });

  test('of clients has the brokers and their listeners alone', () => {
    const { spec } = named('Service', 'events-bootstrap', { listeners });
    expect(spec.selector).toEqual({
      'reconstruct.dev/kafka-cluster': 'events',
      'reconstruct.dev/kafka-role': 'broker',
    });
    expect(spec.ports.map(({ port }: Rendered) => port)).toEqual([9092, 9093]);
    expect(spec.publishNotReadyAddresses).toBeUndefined();
  });
});

describe('the budgets', () => {
  const pools = [{ name: 'large', replicas: 2, storage: { size: '1Ti' } }];
  test.each([
    ['events-brokers', 2, {}],
    ['events-brokers', 4, { pools }],
    ['events-controllers', 2, {}],
    ['events-controllers', 4, { controllers: { replicas: 5 } }],
    ['events-brokers', undefined, { brokers: { ...least.brokers, replicas: 1 } }],
    ['events-controllers', undefined, { controllers: { replicas: 1 } }],
  ])('%s keeps %s Pods with %j', (name, minAvailable, input) => {
    expect(named('PodDisruptionBudget', name, input)?.spec.minAvailable).toBe(minAvailable);
  });
});

describe('the certificates', () => {
  const listeners = [
    { name: 'internal', port: 9092 },
    { name: 'partners', port: 9093, tls: { issuer: { name: 'public', kind: 'ClusterIssuer' } } },
    { name: 'plain', port: 9094, tls: { enabled: false } },
  ];
  test.each([
    ['events-nodes-tls', { name: 'events-ca', kind: 'Issuer' }, 'events-nodes'],
    ['events-operator-tls', { name: 'events-ca', kind: 'Issuer' }, 'events-operator'],
    ['events-listener-partners-tls', { name: 'public', kind: 'ClusterIssuer' }, undefined],
  ])('%s is of %j', (name, issuer, commonName) => {
    expect(named('Certificate', name, { listeners }).spec).toMatchObject({ secretName: name, issuer });
    expect(named('Certificate', name, { listeners }).spec.commonName).toBe(commonName);
  });

  test('are no more', () => {
    expect(sharedObjects({ listeners }).filter(({ kind }) => kind === 'Certificate')).toHaveLength(3);
  });

  test('name every node and the Service of clients, as clients write them', () => {
    const hosts = named('Certificate', 'events-nodes-tls').spec.dnsNames;
    expect(hosts).toEqual(expect.arrayContaining(['*.events-nodes.shop.svc', 'events-bootstrap.shop.svc']));
    expect(hosts).toContain('events-bootstrap');
  });

  test('of the operator is for no server', () => {
    expect(named('Certificate', 'events-operator-tls').spec.usages).not.toContain('server auth');
  });
});

test('the NetworkPolicy opens to all the ports of clients and of metrics, and no other', () => {
  const { spec } = named('NetworkPolicy', 'events', { listeners: [{ name: 'other', port: 9099 }] });
  const open = spec.ingress.filter(({ from }: Rendered) => from === undefined);
  expect(open.flatMap(({ ports }: Rendered) => ports.map(({ port }: Rendered) => port))).toEqual([9099, 9404]);
  const closed = spec.ingress.filter(({ from }: Rendered) => from !== undefined);
  expect(closed.flatMap(({ ports }: Rendered) => ports.map(({ port }: Rendered) => port))).toEqual([9090, 9091]);
});

test('the ServiceAccount has no token', () => {
  expect(named('ServiceAccount', 'events').automountServiceAccountToken).toBe(false);
});

describe('the catalogue', () => {
  test.each([
    ['4.3', 'registry.alien6.io/reconstruct/kafka:4.3.1', 30],
    ['4.4', 'registry.alien6.io/reconstruct/kafka:4.4.0', 33],
  ] as const)('%s is %s, with metadata of level %i', (version, image, level) => {
    expect(kafkaImage(specOf({ version }))).toBe(image);
    expect(metadataLevels[version]).toBe(level);
  });

  test('an image of the spec comes first', () => {
    expect(kafkaImage(specOf({ image: 'example.com/kafka:1' }))).toBe('example.com/kafka:1');
  });

  test('identifiers follow from the UID and the node', () => {
    const ids = [kafkaClusterId('a'), kafkaClusterId('b'), ...[1_000, 1_001].map((id) => firstDirectoryId('a', id))];
    expect(new Set(ids).size).toBe(4);
    expect(kafkaClusterId('a')).toBe(kafkaClusterId('a'));
    expect(firstDirectoryId('a', 1_000)).toBe(firstDirectoryId('a', 1_000));
  });
});

test('no pool of a cluster has the Pods of another cluster, whatever the names', () => {
  const parts = ['a', 'b', 'broker', 'controller'];
  const clusters = [...parts, ...parts.flatMap((one) => parts.map((other) => `${one}-${other}`))];
  // Names of pools have no `-`.
  const pods = clusters.flatMap((cluster) => parts.map((group) => kafkaNodeName(cluster, { group, id: 0 })));
  expect(new Set(pods).size).toBe(pods.length);
  expect(kafkaProblems(specOf({ pools: [{ name: 'a-b', replicas: 1, storage: { size: '1Gi' } }] }))).not.toEqual([]);
});

describe('a spec is refused', () => {
  const config = (name: string, value: string) => ({ config: { [name]: value } });
  test.each([
    [
      'spec.config[default.replication.factor]',
      'must be at most the number of brokers, 3',
      config('default.replication.factor', '4'),
    ],
    [
      'spec.config[min.insync.replicas]',
      'must be at most the number of brokers, 1',
      { brokers: { ...least.brokers, replicas: 1 }, ...config('min.insync.replicas', '2') },
    ],
    ['config', 'at most default.replication.factor, which is 3 by default', config('min.insync.replicas', '4')],
    ['config', 'must not have a line break', config('a.b', '1\nsuper.users=User:me')],
    ['jvm.options[0]', 'set jvm.heap instead', { jvm: { options: ['-Xms1g'] } }],
  ])('at %s, because it %s', (field, message, given) => {
    const [problem = ''] = kafkaProblems(specOf(given));
    expect(problem.startsWith(`${field}: Invalid value`)).toBe(true);
    expect(problem).toContain(message);
  });

  test.each([
    ['as many replicas as brokers', { ...config('default.replication.factor', '3'), ...least }],
    [
      'as many replicas as brokers of all pools',
      {
        ...config('default.replication.factor', '5'),
        pools: [{ name: 'large', replicas: 2, storage: { size: '1Ti' } }],
      },
    ],
    ['a number that only Kafka can read', config('min.insync.replicas', 'two')],
  ])('but not for %s', (_, given) => {
    expect(kafkaProblems(specOf(given))).toEqual([]);
  });
});
