import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type InputOf,
  kafkaClusterSpec,
  kafkaUserSpec,
  secretRotationSpec,
  withDefaults,
} from '../../../../crds/index.js';
import type { SecretRotationResource } from '../../../../imports/index.js';
import { clusterPart } from '../../../../operator/kafka/cluster-part.js';
import { rightsOf } from '../../../../operator/kafka/user-rights.js';
import { GivenKafka, kafkaAbsence } from '../../../given/kafka.js';
import { GivenEngine } from './given-engine.js';
import { ProducingClients } from './producing-clients.js';
import { RotatedInKafka } from './rotated-in-kafka.js';

const absence = await kafkaAbsence();
const rotations = 20;

describe.skipIf(absence !== undefined)('two users in turn', () => {
  let kafka: GivenKafka;
  let engine: GivenEngine;
  let clients: ProducingClients;
  let rotated: RotatedInKafka;

  beforeAll(async () => {
    kafka = await GivenKafka.start();
    engine = new GivenEngine(kafka.operator, () => kafka.bootstrap);
    await engine.changeTopic({ act: 'create', topic: 'orders', partitions: 1, replication: 1, config: {} });
    clients = new ProducingClients(kafka, 'orders');
    const resource = {
      ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'SecretRotation' },
      metadata: { name: 'shop-kafka', namespace: 'shop' },
      spec: withDefaults(secretRotationSpec, {
        ...{ secretName: 'login', source: { kafkaUser: { name: 'shop' } } },
        ...{ every: '2h', overlap: '1h', consumers: [{ deployment: 'shop' }] },
      } as never),
    } as unknown as SecretRotationResource;
    rotated = new RotatedInKafka(resource, { kafka, engine, clients, reads: readsOf(kafka) });
  }, 120_000);
  afterAll(async () => {
    await clients?.stop();
    await engine?.[Symbol.asyncDispose]();
    await kafka?.[Symbol.asyncDispose]();
  });

  const secretOf = (password: string) => ({ password, 'ca.crt': kafka.authority.own.certificate });
  const accepts = async (user: string, password: string) => {
    const [address = { host: '', port: 0 }] = kafka.users;
    return (await engine.user({ user, login: { address, hash: '1' } }, secretOf(password))).accepts;
  };

  it(`rotate ${rotations} times under producers, and no login and no record fails`, async () => {
    const used = new Map<string, string>();
    while (used.size <= rotations) {
      await rotated.reconcile();
      const { username = '', password } = rotated.decoded('login');
      if (password !== undefined) used.set(password, username);
    }
    rotated.resource = { ...rotated.resource, spec: { ...rotated.resource.spec, every: '3650d' } };
    do await rotated.reconcile();
    while (rotated.reasons['Adopted'] !== 'Current' || rotated.reasons['Retired'] !== 'Refused');
    await clients.stop();

    const { sessions, records, users, errors } = clients.tally;
    console.log(`${rotations} rotations, ${sessions} sessions, ${records} records`);
    expect(errors).toEqual([]);
    expect(records).toBe(sessions * 3);
    expect([...users].sort()).toEqual(['shop_kafka_a', 'shop_kafka_b']);

    const { username: current = '', password: works = '' } = rotated.decoded('login');
    expect(await accepts(current, works)).toBe(true);
    const earlier = [...used].filter(([password]) => password !== works).slice(-4);
    for (const [password, user] of earlier) expect(await accepts(user, password)).toBe(false);
    const told = [...used.keys()].filter((password) => rotated.said.join('\n').includes(password));
    expect(told).toEqual([]);
  }, 240_000);

  it('are gone with their ACLs and quotas when the rotation is deleted, and nothing else is', async () => {
    await engine.changeUser({ act: 'setPassword', user: 'shop', hash: '1' }, secretOf('of the KafkaUser'));
    const { metadata } = rotated.resource;
    const deletionTimestamp = '2026-11-28T00:00:00Z';
    rotated.resource = { ...rotated.resource, metadata: { ...metadata, deletionTimestamp } };
    await expect.poll(() => rotated.reconcile(), { timeout: 120_000 }).toBe(0);
    for (const user of ['shop_kafka_a', 'shop_kafka_b'])
      expect(await engine.user({ user })).toEqual({ hasCredential: false, acls: [], quotas: {} });
    expect(await engine.user({ user: 'shop' })).toMatchObject({ hasCredential: true });
  }, 60_000);
});

function readsOf({ authority }: GivenKafka): object {
  const acls = [{ resource: { type: 'Topic', name: 'orders' }, operations: ['Write', 'Describe'] }];
  const user = withDefaults(kafkaUserSpec, {
    ...{ cluster: { name: 'events' }, acls, quotas: { producerByteRate: '100Mi' } },
  } as InputOf<typeof kafkaUserSpec>);
  const cluster = {
    metadata: { name: 'events', namespace: 'shop', uid: 'uid' },
    spec: withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } } }),
    status: { nodes: [{ name: 'events-broker-0', id: 0, role: 'Broker', state: 'Running' }] },
  };
  return {
    database: undefined,
    kafkaUser: { cluster: 'events', authentication: 'Scram', rights: rightsOf(user as never) },
    kafkaClusters: [clusterPart(cluster as never)],
    kafkaAuthorities: [{ name: 'events-nodes-tls', trusted: authority.own.certificate }],
  };
}
