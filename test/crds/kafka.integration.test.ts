import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type InputOf,
  kafkaCluster,
  kafkaClusterSpec,
  kafkaTopic,
  kafkaTopicSpec,
  kafkaUser,
  kafkaUserSpec,
  withDefaults,
} from '../../crds/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { kstatusOf } from '../kstatus.js';
import { canonical } from './canonical.js';
import { ApiServer } from './given-api-server.js';
import { REFUSED_CLUSTERS, REFUSED_TOPICS, REFUSED_USERS } from './refused-kafka.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  for (const kind of [kafkaCluster, kafkaTopic, kafkaUser]) await server.serve(kind);
});
afterAll(() => server.close());

const storage = { size: '10Gi' };
const brokers = { storage };
const pool = { name: 'large', replicas: 2, storage };
const cluster = { name: 'events' };
const topicAcl = { resource: { type: 'Topic', name: 'orders' }, operations: ['Read'] } as const;

const tried = {
  cluster: (spec: object, name = 'events') =>
    server.tried(kafkaCluster, { metadata: { name }, spec: { brokers, ...spec } }),
  topic: (spec: object, name = 'orders') =>
    server.tried(kafkaTopic, { metadata: { name }, spec: { cluster, ...spec } }),
  user: (spec: object, name = 'shop') => server.tried(kafkaUser, { metadata: { name }, spec: { cluster, ...spec } }),
};

describe('the API server fills in what the constructs do', () => {
  it.each<InputOf<typeof kafkaClusterSpec>>([
    { brokers },
    {
      brokers: { storage: { ...storage, additionalVolumes: [{ name: 'fast', size: '1Ti' }] } },
      pools: [pool],
      controllers: { replicas: 5, storage: { size: '2Gi', storageClassName: 'fast' } },
      listeners: [
        { name: 'internal', port: 9092 },
        { name: 'partners', port: 9093, authentication: 'MutualTls', tls: { issuer: { name: 'shop' } } },
        { name: 'plain', port: 9094, authentication: 'None', tls: { enabled: false } },
        {
          name: 'outside',
          port: 9095,
          external: { type: 'TlsRoute', host: 'kafka.example.com', gateway: { name: 'edge' } },
        },
        { name: 'cloud', port: 9096, external: { type: 'LoadBalancer' } },
      ],
      authorization: 'None',
      racks: { topologyKey: 'topology.kubernetes.io/region' },
      config: { 'min.insync.replicas': '2', 'log.retention.ms': '-1' },
      jvm: { heap: '1Gi', options: ['-XX:+UseZGC'] },
      finalize: { policy: 'Manual', after: '7d' },
      hooks: {
        preRestart: { http: { url: 'https://hooks.example.com' } },
        postRestart: {
          job: { image: 'hooks:1', podTemplate: { volumes: [{ name: 'login', secret: { secretName: 'shop' } }] } },
        },
      },
    },
  ])('for the KafkaCluster %j', async (spec) => {
    const { body } = await tried.cluster(spec);
    expect(body.message).toBeUndefined();
    expect(canonical(body.spec)).toBe(canonical(withDefaults(kafkaClusterSpec, spec)));
  });

  it.each<InputOf<typeof kafkaTopicSpec>>([
    { cluster },
    { cluster, topicName: 'Orders_v1', partitions: 12, config: { 'retention.ms': '60000' } },
  ])('for the KafkaTopic %j', async (spec) => {
    const { body } = await tried.topic(spec);
    expect(body.message).toBeUndefined();
    expect(canonical(body.spec)).toBe(canonical(withDefaults(kafkaTopicSpec, spec)));
  });

  it.each<InputOf<typeof kafkaUserSpec>>([
    { cluster },
    {
      cluster,
      authentication: 'MutualTls',
      acls: [topicAcl, { resource: { type: 'Cluster' }, operations: ['Describe'], type: 'Deny' }],
      quotas: { producerByteRate: '10Mi', requestPercentage: 50 },
    },
  ])('for the KafkaUser %j', async (spec) => {
    const { body } = await tried.user(spec);
    expect(body.message).toBeUndefined();
    expect(canonical(body.spec)).toBe(canonical(withDefaults(kafkaUserSpec, spec)));
  });
});

describe('the API server refuses', () => {
  it.each(REFUSED_CLUSTERS)('the KafkaCluster %j', async (spec, field, message) =>
    expectRefusal(await tried.cluster(spec), field, message),
  );
  it.each(REFUSED_TOPICS)('the KafkaTopic %j', async (spec, field, message) =>
    expectRefusal(await tried.topic(spec), field, message),
  );
  it.each(REFUSED_USERS)('the KafkaUser %j', async (spec, field, message) =>
    expectRefusal(await tried.user(spec), field, message),
  );

  it.each(['1st', 'a.b', `e${'v'.repeat(32)}`])('a KafkaCluster with the name %s', async (name) =>
    expectRefusal(
      await tried.cluster({}, name),
      'Invalid value',
      'must have a name that its Pods can have; use up to 32',
    ),
  );

  it('a KafkaTopic whose name is longer than those of Kafka, unless topicName is set', async () => {
    const name = 'x'.repeat(250);
    expectRefusal(await tried.topic({}, name), 'Invalid value', 'at most 249 characters, the limit of Kafka');
    expect((await tried.topic({ topicName: 'short' }, name)).body.message).toBeUndefined();
  });

  it('a KafkaUser whose name is longer than those in certificates', async () =>
    expectRefusal(await tried.user({}, 'u'.repeat(64)), 'Invalid value', 'must have a name of at most 63 characters'));
});

function expectRefusal({ status, body }: Awaited<ReturnType<typeof tried.cluster>>, field: string, message: string) {
  expect(status).toBe(422);
  expect(body.message).toContain(field);
  expect(body.message).toContain(message);
}

describe('an update', () => {
  const updated = async (kind: typeof kafkaCluster | typeof kafkaTopic | typeof kafkaUser, spec: object) =>
    (await server.triedUpdate(kind, 'kept', spec)).body.message ?? '';

  it('keeps the classes of volumes, and may raise what can be raised', async () => {
    const classed = { storage: { ...storage, storageClassName: 'fast' } };
    const spec = { brokers: classed, pools: [{ ...pool, ...classed }] };
    const { body } = await server.create(kafkaCluster, { metadata: { name: 'kept' }, spec });
    expect(kstatusOf(body as unknown as Parameters<typeof kstatusOf>[0])).toBe('InProgress');
    expect(await updated(kafkaCluster, { ...spec, brokers })).toContain(
      'spec.brokers.storage.storageClassName: Invalid value',
    );
    expect(await updated(kafkaCluster, { ...spec, pools: [pool] })).toContain('storageClassName is immutable');
    expect(await updated(kafkaCluster, { ...spec, controllers: { storage: { storageClassName: 'fast' } } })).toContain(
      'spec.controllers.storage.storageClassName: Invalid value',
    );
    const larger = { replicas: 5, storage: { size: '20Gi', storageClassName: 'fast' } };
    expect(await updated(kafkaCluster, { brokers: larger, controllers: { replicas: 5 }, version: '4.3' })).toBe('');
    await server.remove(kafkaCluster, 'kept');
  });

  it('keeps the controllers where they are', async () => {
    const combined = { controllers: { combined: true } };
    for (const [before, after] of [
      [combined, { controllers: { combined: false } }],
      [combined, {}],
      [{}, combined],
    ] as const) {
      await server.create(kafkaCluster, { metadata: { name: 'kept' }, spec: { brokers, ...before } });
      expect(await updated(kafkaCluster, { brokers, ...after })).toContain(
        'combined is immutable; create another resource with the new value',
      );
      expect(await updated(kafkaCluster, { brokers: { ...brokers, replicas: 5 }, ...before })).toBe('');
      await server.remove(kafkaCluster, 'kept');
    }
  });

  it('keeps every volume of a broker, and may get more', async () => {
    const fast = { name: 'fast', size: '10Gi', storageClassName: 'fast' };
    const volumes = (...additionalVolumes: readonly object[]) => ({ storage: { ...storage, additionalVolumes } });
    const of = (...all: readonly object[]) => ({ brokers: volumes(...all), pools: [{ ...pool, ...volumes(...all) }] });
    await server.create(kafkaCluster, { metadata: { name: 'kept' }, spec: { brokers } });
    expect(await updated(kafkaCluster, of(fast))).toBe('');
    await server.remove(kafkaCluster, 'kept');
    await server.create(kafkaCluster, { metadata: { name: 'kept' }, spec: of(fast) });
    const kept = 'must keep every volume';
    expect(await updated(kafkaCluster, { ...of(fast), brokers })).toContain(kept);
    expect(await updated(kafkaCluster, { ...of(fast), pools: [pool] })).toContain(kept);
    expect(await updated(kafkaCluster, of({ ...fast, name: 'slow' }))).toContain(kept);
    expect(await updated(kafkaCluster, of({ ...fast, storageClassName: 'slow' }))).toContain('is immutable');
    expect(await updated(kafkaCluster, of({ name: 'more', size: '1Gi' }, { ...fast, size: '20Gi' }))).toBe('');
    await server.remove(kafkaCluster, 'kept');
  });

  it('never lowers the partitions of a topic, nor makes it another topic', async () => {
    const spec = { cluster, partitions: 6, topicName: 'orders' };
    await server.create(kafkaTopic, { metadata: { name: 'kept' }, spec });
    expect(await updated(kafkaTopic, { ...spec, partitions: 5 })).toContain(
      'spec.partitions: Invalid value: 5: must not decrease, because Kafka cannot remove partitions',
    );
    expect(await updated(kafkaTopic, { ...spec, topicName: 'other' })).toContain('topicName is immutable');
    expect(await updated(kafkaTopic, { cluster, partitions: 6 })).toContain('topicName is immutable');
    expect(await updated(kafkaTopic, { ...spec, cluster: { name: 'other' } })).toContain('spec.cluster.name');
    expect(await updated(kafkaTopic, { ...spec, partitions: 7, replication: 2 })).toBe('');
    await server.remove(kafkaTopic, 'kept');
  });

  it('never changes the login or the cluster of a user', async () => {
    const spec = { cluster, authentication: 'Scram' };
    await server.create(kafkaUser, { metadata: { name: 'kept' }, spec });
    expect(await updated(kafkaUser, { ...spec, authentication: 'MutualTls' })).toContain(
      'spec.authentication: Invalid value: "MutualTls": is immutable',
    );
    expect(await updated(kafkaUser, { ...spec, cluster: { name: 'other' } })).toContain('spec.cluster.name');
    expect(await updated(kafkaUser, { ...spec, acls: [topicAcl], quotas: { requestPercentage: 10 } })).toBe('');
    await server.remove(kafkaUser, 'kept');
  });
});
