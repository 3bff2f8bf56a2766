import { afterEach, describe, expect, test } from 'vitest';
import { kafkaClusterSpec, kafkaUserSpec, withDefaults } from '../../../../crds/index.js';
import { certificateKind, kafkaClusterKind, kafkaUserKind } from '../../../../imports/index.js';
import { kafkaUser } from '../../../../operator/controllers/kafka/user/index.js';
import { draw } from '../../../../operator/passwords/draw.js';
import { ConfigMap, type ObjectKind, provided, Secret } from '../../../../operator/runtime/index.js';
import { Event } from '../../../../operator/runtime/kubernetes/kinds.js';
import { MemoryPort } from '../../../../operator/testing/index.js';
import { fingerprint } from '../../../../src/manifest/fingerprint.js';
import type { Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { GivenOperator } from '../../runtime/given/operator.js';
import { closeAll, runs } from '../../runtime/given/oracle.js';
import { conditionOf } from '../../runtime/given/widgets.js';
import { userModel } from './kafka-models.js';

afterEach(closeAll);

const apiVersion = 'reconstruct.dev/v1alpha1';
const namespace = 'shop';
const user = { name: 'shop', namespace };
const nodesTls = { name: 'events-nodes-tls', namespace };
const encoded = (text: string) => Buffer.from(text).toString('base64');
const authority = (text: string) => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: nodesTls, type: 'kubernetes.io/tls' },
  data: { 'ca.crt': encoded(text) },
});
const cluster = (listeners?: object) => ({
  ...{ apiVersion, kind: 'KafkaCluster', metadata: { name: 'events', namespace } },
  spec: withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } }, ...listeners }),
});
const listeners = { listeners: [{ name: 'internal', port: 9092, authentication: 'MutualTls' }] };
const resource = (spec: object) => ({
  ...{ apiVersion, kind: 'KafkaUser', metadata: user },
  spec: withDefaults(kafkaUserSpec, { cluster: { name: 'events' }, ...spec } as never),
});

/** A user whose brokers run. Each drawn password is another one. */
async function givenUser(spec: object = {}) {
  let drawn = 0;
  const drawing = provided(draw, async () => ({ password: `password-${++drawn}` }));
  const given = runs(
    new GivenOperator({ controllers: [kafkaUser], ports: [drawing, new MemoryPort(userModel()).provided] }),
  );
  await given.start();
  const cut = async (kind: ObjectKind, name: { name: string; namespace: string }) => {
    const { metadata } = (await given.memory.read(kind, name)) as Loose;
    await given.memory.remove(kind, name, { uid: metadata.uid });
    await settled();
    await given.clock.advance(120_000);
  };
  const becomes = async (kind: ObjectKind, object: Loose | object) => {
    await given.given(kind, object as never);
    await given.clock.advance(120_000);
  };
  await becomes(kafkaClusterKind as ObjectKind, cluster());
  const status = { nodes: [{ name: 'events-broker-0', id: 0, role: 'Broker', state: 'Running' }] };
  await given.memory.apply(kafkaClusterKind as ObjectKind, { ...cluster(), status } as never, {
    ...{ manager: 'kafka', subresource: 'status' },
  });
  await becomes(Secret, authority('first'));
  await becomes(kafkaUserKind as ObjectKind, resource(spec));
  const secret = async (name = 'shop') => (await given.memory.read(Secret, { name, namespace })) as Loose | undefined;
  const configMap = async (name = 'shop-client') =>
    (await given.memory.read(ConfigMap, { name, namespace })) as Loose | undefined;
  const text = (of: Loose | undefined, key: string) => Buffer.from(of?.['data']?.[key] ?? '', 'base64').toString();
  return {
    ...{ given, cut, becomes, secret, configMap, text },
    condition: async (type: string) =>
      conditionOf((await given.memory.read(kafkaUserKind as ObjectKind, user)) as Loose, type),
  };
}

describe('the Secret of a KafkaUser', () => {
  test('keeps its password and its ca.crt while the CA certificate of the listener is missing, and a condition says so', async () => {
    const { cut, becomes, secret, text, condition } = await givenUser();
    const before = await secret();
    expect(text(before, 'password')).toBe('password-1');
    expect((await condition('Authenticated'))?.['reason']).toBe('Accepted');
    await cut(Secret, nodesTls);
    expect(await secret()).toEqual(before);
    expect(await condition('Authenticated')).toMatchObject({
      ...{ status: 'Unknown', reason: 'AuthorityMissing' },
      message:
        'Secret events-nodes-tls does not exist or has no ca.crt, so Secret shop keeps the ca.crt that it has; check Certificate events-nodes-tls',
    });
    await becomes(Secret, authority(''));
    expect(await secret()).toEqual(before);
    await becomes(Secret, authority('second'));
    const after = await secret();
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    expect([text(after, 'ca.crt'), text(after, 'password')]).toEqual(['second', 'password-1']);
    expect((await condition('Authenticated'))?.['reason']).toBe('Accepted');
  });

  test('is not created before the CA certificate exists, and a condition says so', async () => {
    const { cut, secret, condition } = await givenUser();
    await cut(Secret, nodesTls);
    await cut(Secret, user);
    expect(await secret()).toBeUndefined();
    expect((await condition('Authenticated'))?.['message']).toContain('Secret shop is not created yet');
  });

  test('stays unchanged while the KafkaCluster is missing, and in a new one of the same name', async () => {
    const { cut, becomes, secret, condition } = await givenUser();
    const before = await secret();
    await cut(kafkaClusterKind as ObjectKind, { name: 'events', namespace });
    expect(await secret()).toEqual(before);
    expect((await condition('Authenticated'))?.['reason']).toBe('ClusterNotFound');
    await becomes(kafkaClusterKind as ObjectKind, cluster());
    expect(await secret()).toEqual(before);
  });

  test('stays unchanged while the KafkaCluster has no listener for it', async () => {
    const { becomes, secret } = await givenUser();
    const before = await secret();
    await becomes(kafkaClusterKind as ObjectKind, cluster(listeners));
    expect(await secret()).toEqual(before);
  });

  test('has the same password under another name', async () => {
    const { becomes, secret, text } = await givenUser();
    await becomes(kafkaUserKind as ObjectKind, resource({ secretName: 'other' }));
    expect(text(await secret('other'), 'password')).toBe('password-1');
    expect(await secret()).toBeUndefined();
  });

  test('has settings that work with each password that a person chooses', async () => {
    const { becomes, secret, text } = await givenUser();
    await becomes(Secret, {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: user },
      data: { password: encoded('a"b\\c";\nd') },
    });
    const login = String.raw`required username="shop" password="a\"b\\c\";\nd";`;
    const after = await secret();
    expect(text(after, 'sasl.jaas.config')).toContain(login);
    // In a file of Java, a backslash begins an escape.
    const lines = text(after, 'client.properties').split('\n');
    expect(lines.find((line) => line.startsWith('sasl.jaas.config='))).toContain(login.replaceAll('\\', '\\\\'));
    expect(lines.filter((line) => !/^([a-z.]+=.+)?$/.test(line))).toEqual([]);
  });

  test('gets another password if a person deletes it, or empties the password', async () => {
    const { becomes, cut, secret, text } = await givenUser();
    await cut(Secret, user);
    expect(text(await secret(), 'password')).toBe('password-2');
    await becomes(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: user, data: { password: '' } });
    expect(text(await secret(), 'password')).toBe('password-3');
  });
});

test('the Certificate of a KafkaUser stays while the KafkaCluster is missing', async () => {
  const { given, cut, becomes } = await givenUser({ authentication: 'MutualTls' });
  const kind = certificateKind as ObjectKind;
  await becomes(kafkaClusterKind as ObjectKind, cluster(listeners));
  const before = await given.memory.read(kind, user);
  expect(before).toBeDefined();
  await cut(kafkaClusterKind as ObjectKind, { name: 'events', namespace });
  expect(await given.memory.read(kind, user)).toEqual(before);
});

describe('the ConfigMap of a KafkaUser', () => {
  const bootstrap = 'events-bootstrap.shop.svc:9092';
  const certified = async (spec: object = {}, has: object = listeners) => {
    const world = await givenUser({ authentication: 'MutualTls', ...spec });
    await world.becomes(kafkaClusterKind as ObjectKind, cluster(has));
    return world;
  };
  const properties = async ({ configMap }: Awaited<ReturnType<typeof givenUser>>) =>
    ((await configMap())?.['data']?.['client.properties'] ?? '').trimEnd().split('\n');

  test('has the address and the settings of a client with a certificate', async () => {
    const world = await certified();
    expect((await world.configMap())?.['data']).toEqual({
      'bootstrap.servers': bootstrap,
      'client.properties': expect.any(String),
    });
    expect(await properties(world)).toEqual([
      ...[`bootstrap.servers=${bootstrap}`, 'security.protocol=SSL'],
      ...['ssl.keystore.type=PEM', 'ssl.keystore.location=tls-combined.pem'],
      ...['ssl.truststore.type=PEM', 'ssl.truststore.location=ca.crt'],
    ]);
  });

  test('leaves trust to the system if the listener has another issuer, and follows its port', async () => {
    const [listener] = listeners.listeners;
    const world = await certified(
      {},
      { listeners: [{ ...listener, port: 9093, tls: { issuer: { name: 'public' } } }] },
    );
    expect(await properties(world)).toEqual([
      ...['bootstrap.servers=events-bootstrap.shop.svc:9093', 'security.protocol=SSL'],
      ...['ssl.keystore.type=PEM', 'ssl.keystore.location=tls-combined.pem'],
    ]);
  });

  test('does not exist for a user with a password', async () => {
    const { configMap } = await givenUser();
    expect(await configMap()).toBeUndefined();
  });

  test.each([
    { when: 'the KafkaCluster is missing', lost: [[kafkaClusterKind as ObjectKind, 'events']] as const },
    {
      when: 'the KafkaCluster and the Certificate are missing',
      lost: [
        [kafkaClusterKind as ObjectKind, 'events'],
        [certificateKind as ObjectKind, 'shop'],
      ] as const,
    },
  ])('stays unchanged while $when', async ({ lost }) => {
    const { configMap, cut } = await certified();
    const before = await configMap();
    expect(before).toBeDefined();
    for (const [kind, name] of lost) await cut(kind, { name, namespace });
    expect(await configMap()).toEqual(before);
  });

  test('stays unchanged while the KafkaCluster has no listener for it', async () => {
    const { configMap, becomes } = await certified();
    const before = await configMap();
    expect(before).toBeDefined();
    await becomes(kafkaClusterKind as ObjectKind, cluster());
    expect(await configMap()).toEqual(before);
  });

  test.each([
    ['with its KafkaCluster', false],
    ['without it', true],
  ])('has the name of the Secret, also after a change %s', async (_, isLost) => {
    const { becomes, cut, configMap } = await certified();
    const before = (await configMap())?.['data'];
    if (isLost) await cut(kafkaClusterKind as ObjectKind, { name: 'events', namespace });
    await becomes(kafkaUserKind as ObjectKind, resource({ authentication: 'MutualTls', secretName: 'other' }));
    expect(await configMap()).toBeUndefined();
    expect((await configMap('other-client'))?.['data']).toEqual(before);
  });

  test('of somebody else stays as it is, and a condition says so', async () => {
    const theirs = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...user, name: 'shop-client' },
      data: { own: '1' },
    };
    const { becomes, given, configMap, condition } = await givenUser({ authentication: 'MutualTls' });
    await given.given(ConfigMap, theirs as never);
    await becomes(kafkaClusterKind as ObjectKind, cluster(listeners));
    expect((await configMap())?.['data']).toEqual({ own: '1' });
    const message =
      'ConfigMap shop-client was not created by this KafkaUser: delete it, or annotate it with reconstruct.dev/adopt-by=shop/shop';
    expect(await condition('Conflicted')).toMatchObject({ status: 'True', reason: 'NotOwned', message });
    expect(await condition('Ready')).toMatchObject({ status: 'False', reason: 'NotOwned' });
  });
});

test('no Event and no line of the log has a hash of a password', async () => {
  const { given, becomes } = await givenUser();
  const data = { password: encoded('chosen') };
  await becomes(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: user, data });
  const { items } = await given.memory.list(Event, {});
  const told = [...items.map((event) => JSON.stringify(event)), ...given.logged].join('\n');
  expect(told).toContain('setPassword');
  for (const password of ['password-1', 'chosen']) {
    expect(told).not.toContain(password);
    expect(told).not.toContain(fingerprint(password));
  }
});
