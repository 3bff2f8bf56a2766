import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../crds/index.js';
import type { KafkaClusterSpecInput } from '../../../imports/index.js';
import {
  KafkaNodePod,
  KafkaSharedObjects,
  KafkaUserCertificate,
  KafkaUserConfigMap,
  KafkaUserSecret,
  kafkaClusterId,
  kafkaImage,
  kafkaNodeRevision,
  kafkaProblems,
} from '../../../src/index.js';
import { kafkaBudgets } from '../../../src/kafka/objects/protection.js';

const least = { brokers: { storage: { size: '10Gi' } } };
const specOf = (input: object = {}) => withDefaults(kafkaClusterSpec, { ...least, ...input } as KafkaClusterSpecInput);

function shared(input: object = {}) {
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  new KafkaSharedObjects(chart, 'events', { name: 'events', ...least, ...input } as never);
  return chart.toJson() as readonly {
    readonly kind: string;
    readonly metadata: { name: string };
    readonly data: Record<string, string>;
  }[];
}

function pod(id: number, input: object = {}, firstControllers?: never[]) {
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  const role = id < 1_000 ? ('broker' as const) : ('controller' as const);
  const spec = specOf(input);
  new KafkaNodePod(chart, 'pod', {
    ...{ name: 'events', spec, image: kafkaImage(spec), clusterId: 'cluster', node: { id, group: role, role } },
    controllers: [{ id: 1_000, group: 'controller', role: 'controller' }],
    firstControllers: firstControllers ?? [{ id: 1_000, group: 'controller', role: 'controller', directoryId: 'disk' }],
  });
  return chart.toJson()[0];
}

const envOf = (manifest: ReturnType<typeof pod>) =>
  Object.fromEntries(
    manifest.spec.containers[0].env.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );
const propertiesOf = (input: object, file = 'broker.properties') =>
  shared(input).find(({ kind }) => kind === 'ConfigMap')?.data[file] ?? '';

test('a KafkaCluster has these objects for all nodes', () => {
  expect(
    shared()
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      .toSorted(),
  ).toEqual([
    'Certificate events-nodes-tls',
    'Certificate events-operator-tls',
    'ConfigMap events-config',
    'Issuer events-ca',
    'NetworkPolicy events',
    'PodDisruptionBudget events-brokers',
    'PodDisruptionBudget events-controllers',
    'Service events-bootstrap',
    'Service events-nodes',
    'ServiceAccount events',
  ]);
});

test('a drain may evict one of the brokers that exist, also while a cluster of five shrinks to three', () => {
  const spec = withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } } });
  const identity = { name: 'events', namespace: 'shop', version: '4.4' };
  const leastOf = (existing?: { broker: number; controller: number }) =>
    kafkaBudgets(identity as never, spec, existing).map(
      (budget) => (budget as { spec?: { minAvailable?: number } }).spec?.minAvailable,
    );
  expect(leastOf()).toEqual([2, 2]);
  expect(leastOf({ broker: 5, controller: 3 })).toEqual([4, 2]);
  expect(leastOf({ broker: 2, controller: 0 })).toEqual([2, 2]);
});

describe('the Pod of a node', () => {
  test('meets the Pod Security level restricted, with a read-only root file system and no token', () => {
    const { spec } = pod(0);
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(spec.containers[0].securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true },
    });
  });

  test.each([
    { has: 'KAFKA_INITIAL_CONTROLLERS', is: '1000@events-controller-1000.events-nodes.shop.svc:9090:disk', id: 1_000 },
    { has: 'KAFKA_CLUSTER_ID', is: 'cluster', id: 0 },
    { has: 'KAFKA_HEAP_MB', is: '1024', id: 0 },
    { has: 'KAFKA_HEAP_MB', is: '384', id: 1_000 },
    { has: 'KAFKA_ROLE', is: 'controller', id: 1_000 },
  ])('$id has $has $is', ({ has, is, id }) => {
    expect(envOf(pod(id))[has]).toBe(is);
  });

  test('advertises its own host name, and finds the quorum by those of the controllers', () => {
    const host = 'events-broker-0.events-nodes.shop.svc';
    expect(envOf(pod(0))['KAFKA_NODE_PROPERTIES']).toBe(
      [
        'node.id=0',
        'listeners=REPLICATION://:9091,INTERNAL://:9092',
        `advertised.listeners=REPLICATION://${host}:9091,INTERNAL://${host}:9092`,
        'controller.quorum.bootstrap.servers=events-controller-1000.events-nodes.shop.svc:9090',
        '',
      ].join('\n'),
    );
  });
});

describe('the properties of brokers', () => {
  const partners = { name: 'partners', port: 9093, authentication: 'MutualTls', tls: { issuer: { name: 'public' } } };
  test.each([
    {
      has: 'listener.security.protocol.map=CONTROLLER:SSL,REPLICATION:SSL,INTERNAL:SASL_SSL',
      when: 'by default',
      given: {},
    },
    { has: 'super.users=User:CN=events-nodes;User:CN=events-operator', when: 'by default', given: {} },
    { has: 'default.replication.factor=3', when: 'there are three brokers', given: {} },
    {
      has: 'default.replication.factor=1',
      when: 'there is one',
      given: { brokers: { ...least.brokers, replicas: 1 } },
    },
    {
      has: 'listener.name.partners.ssl.client.auth=required',
      when: 'a listener wants certificates',
      given: { listeners: [partners] },
    },
    {
      has: 'listener.name.partners.ssl.keystore.location=/run/kafka/tls/partners/keystore.pem',
      when: 'a listener has an issuer',
      given: { listeners: [partners] },
    },
    {
      has: 'queued.max.requests=5',
      when: 'a property needs a restart',
      given: { config: { 'queued.max.requests': '5' } },
    },
  ])('have $has when $when', ({ has, given }) => {
    expect(propertiesOf(given).split('\n')).toContain(has);
  });

  test.each([
    { lacks: 'log.retention.ms', when: 'it is dynamic', given: { config: { 'log.retention.ms': '5' } } },
    { lacks: 'super.users', when: 'nothing is authorized', given: { authorization: 'None' } },
  ])('lack $lacks when $when', ({ lacks, given }) => {
    expect(propertiesOf(given)).not.toContain(lacks);
  });
});

describe('the revision of brokers', () => {
  const revision = (input: object = {}, certificates = 'a') => {
    const spec = specOf(input);
    return kafkaNodeRevision({
      name: 'events',
      namespace: 'shop',
      spec,
      image: kafkaImage(spec),
      group: 'broker',
      certificates,
    });
  };
  test('is that of earlier operators, whose nodes had longer to stop, so that an upgrade restarts none', () => {
    expect(revision()).toBe('2da42d83b4b5f1e4');
  });

  test.each([
    { when: 'the version', given: { version: '4.3' } },
    { when: 'a property that needs a restart', given: { config: { 'queued.max.requests': '5' } } },
    { when: 'resources', given: { brokers: { ...least.brokers, resources: { limits: { memory: '3Gi' } } } } },
    { when: 'a listener', given: { listeners: [{ name: 'other', port: 9095 }] } },
  ])('changes with $when', ({ given }) => {
    expect(revision(given)).not.toBe(revision());
  });
  test.each([
    { when: 'the number of brokers', given: { brokers: { ...least.brokers, replicas: 5 } } },
    { when: 'the number of controllers', given: { controllers: { replicas: 5 } } },
    { when: 'a dynamic property', given: { config: { 'log.retention.ms': '5' } } },
    { when: 'the size of the volumes', given: { brokers: { storage: { size: '20Gi' } } } },
    { when: 'the resources of controllers', given: { controllers: { resources: { limits: { memory: '2Gi' } } } } },
  ])('does not change with $when', ({ given }) => {
    expect(revision(given)).toBe(revision());
  });
  test('changes with the certificates', () => {
    expect(revision({}, 'b')).not.toBe(revision());
  });
});

test.each([
  {
    says: 'jvm.heap',
    given: { jvm: { heap: '1Gi' }, brokers: { ...least.brokers, resources: { limits: { memory: '1Gi' } } } },
  },
  { says: 'controllers.replicas', given: { controllers: { replicas: 2 } } },
  {
    says: 'listeners',
    given: {
      listeners: [
        { name: 'a', port: 9092 },
        { name: 'b', port: 9092 },
      ],
    },
  },
  { says: 'config', given: { config: { 'node.id': '1' } } },
  { says: 'config', given: { config: { 'min.insync.replicas': '3', 'default.replication.factor': '2' } } },
  { says: 'pools', given: { pools: [{ name: 'broker', replicas: 1, storage: { size: '1Gi' } }] } },
])('a spec is refused for $says', ({ says, given }) => {
  expect(kafkaProblems(specOf(given)).join('\n')).toContain(says);
});

test('an identifier of a cluster never begins with a dash, which tools take for an option', () => {
  for (let index = 0; index < 500; index++) expect(kafkaClusterId(`uid-${index}`)).toMatch(/^[A-Za-z0-9_][\w-]{21}$/);
});

test('the Secret of a user has the configuration of a Java client', () => {
  const chart = new Chart(new App(), 'chart');
  new KafkaUserSecret(chart, 'secret', {
    ...{ name: 'shop', namespace: 'shop', username: 'shop', password: 'drowssap', hasTls: true, trusted: 'PEM' },
    bootstrapServers: 'events-bootstrap.shop.svc:9092',
  });
  const data: Record<string, string> = chart.toJson()[0].data;
  const texts = Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]),
  );
  expect(Object.keys(texts).toSorted()).toEqual(
    ['bootstrap.servers', 'ca.crt', 'client.properties', 'password', 'sasl.jaas.config', 'username'].toSorted(),
  );
  expect(texts['client.properties']).toContain('security.protocol=SASL_SSL\n');
});

describe('a user with a certificate', () => {
  const place = { name: 'shop', namespace: 'shop' };
  const address = 'events-bootstrap.shop.svc:9093';

  test('asks for the key and the certificate in one file', () => {
    const chart = new Chart(new App(), 'chart');
    new KafkaUserCertificate(chart, 'certificate', { ...place, cluster: 'events', username: 'shop' });
    expect(chart.toJson()[0].spec.additionalOutputFormats).toEqual([{ type: 'CombinedPEM' }]);
  });

  test.each([
    ['trusts the ca.crt of the Secret', true, ['ssl.truststore.type=PEM', 'ssl.truststore.location=ca.crt']],
    ['trusts the CA certificates of its system', false, []],
  ])('has the settings of a Java client that %s', (_, trustsCluster, trust) => {
    const chart = new Chart(new App(), 'chart');
    new KafkaUserConfigMap(chart, 'client', { ...place, bootstrapServers: address, trustsCluster });
    const [{ kind, metadata, data }] = chart.toJson();
    expect([kind, metadata.name, metadata.namespace]).toEqual(['ConfigMap', 'shop', 'shop']);
    const { 'client.properties': properties, ...others } = data;
    expect(others).toEqual({ 'bootstrap.servers': address });
    expect(properties.split('\n')).toEqual([
      ...[`bootstrap.servers=${address}`, 'security.protocol=SSL'],
      ...['ssl.keystore.type=PEM', 'ssl.keystore.location=tls-combined.pem'],
      ...[...trust, ''],
    ]);
  });
});
