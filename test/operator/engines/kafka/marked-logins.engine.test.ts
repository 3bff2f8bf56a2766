import { Consumer, Producer } from '@platformatic/kafka';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Acl, denials, loginMark, userMark } from '../../../../operator/kafka/users.js';
import { GivenKafka, kafkaAbsence } from '../../../given/kafka.js';
import { GivenEngine } from './given-engine.js';

const absence = await kafkaAbsence();
const password = 'correct-horse-battery';
const topic = 'records';

const rights: readonly Acl[] = [
  ...(['Read', 'Write', 'Describe'] as const).map((operation) => rule('Topic', topic, operation)),
  rule('Group', 'app', 'Read'),
  rule('Cluster', 'kafka-cluster', 'IdempotentWrite'),
];

function rule(resource: Acl['resource'], name: string, operation: string): Acl {
  return { resource, name, pattern: 'Literal', operation, permission: 'Allow' };
}

describe.skipIf(absence !== undefined)('logins of a cluster of one broker', () => {
  let kafka: GivenKafka;
  let engine: GivenEngine;
  let producer: Producer;

  beforeAll(async () => {
    kafka = await GivenKafka.start();
    engine = new GivenEngine(kafka.operator, () => kafka.bootstrap);
    await engine.changeTopic({ act: 'create', topic, partitions: 1, replication: 1, config: {} });
    const given = { app: userMark, tool: undefined, 'shop-a': loginMark('SecretRotation/shop/shop') };
    for (const [user, mark] of Object.entries(given)) {
      await engine.changeUser({ act: 'setAcls', user, add: [...(mark ? [mark] : []), ...rights], remove: [] });
      await engine.changeUser({ act: 'setPassword', user, hash: '1' }, { password });
    }
    producer = new Producer(client());
  }, 60_000);
  afterAll(async () => {
    await Promise.resolve(producer?.close()).catch(() => {});
    await engine?.[Symbol.asyncDispose]();
    await kafka?.[Symbol.asyncDispose]();
  });

  const client = (username = 'app') => ({
    ...{ clientId: username, bootstrapBrokers: kafka.users.map(({ host, port }) => `${host}:${port}`), retries: 0 },
    ...{ tls: { ca: kafka.authority.own.certificate }, timeout: 5_000 },
    sasl: { mechanism: 'SCRAM-SHA-512' as const, username, password },
  });

  const produced = async (by: Producer) => {
    const messages = [{ topic, key: Buffer.from('k'), value: Buffer.from('v') }];
    return by.send({ messages, acks: -1 }).then(() => 'taken', reasonOf);
  };

  /** Reads the first record in the group of the user. */
  const consumed = async () => {
    const deserializers = { value: (data?: Buffer) => data?.toString() ?? '' };
    const consumer = new Consumer({ ...client(), groupId: 'app', deserializers });
    try {
      const stream = await consumer.consume({ topics: [topic], mode: 'earliest', autocommit: false });
      for await (const { value } of stream) return value;
      return 'nothing';
    } catch (error) {
      return reasonOf(error);
    } finally {
      await Promise.resolve(consumer.close(true)).catch(() => {});
    }
  };

  const denied = async () => (await engine.cluster()).logins?.map((one) => `${one.user} ${one.owners} ${one.denied}`);
  const accepted = async () => {
    const login = { address: kafka.users[0] ?? { host: '', port: 0 }, hash: '1' };
    const secret = { password, 'ca.crt': kafka.authority.own.certificate };
    return (await engine.user({ user: 'app', login }, secret)).accepts;
  };

  it('are reported by their marks, and those of other tools are not', async () => {
    await expect.poll(denied).toEqual(['app KafkaUser none', 'shop-a SecretRotation/shop/shop none']);
    await expect.poll(() => produced(producer), { timeout: 120_000 }).toBe('taken');
  });

  it('can do nothing while they are refused, also on an open connection, and everything as before when they are allowed', async () => {
    await expect.poll(consumed, { timeout: 120_000 }).toBe('v');
    await engine.changeCluster({ act: 'refuseLogins', users: ['app', 'tool', 'gone'] });
    await expect.poll(denied).toEqual(['app KafkaUser all', 'shop-a SecretRotation/shop/shop none']);
    await expect.poll(() => produced(producer)).toMatch(/TOPIC_AUTHORIZATION_FAILED|not authorized/i);
    expect(await consumed()).toMatch(/AUTHORIZATION_FAILED|not authorized/i);
    expect(await accepted()).toBe(true);
    expect((await engine.user({ user: 'tool' })).acls).toHaveLength(rights.length);
    expect((await engine.user({ user: 'gone' })).acls).toEqual([]);
    // The second time changes nothing.
    await engine.changeCluster({ act: 'refuseLogins', users: ['app'] });
    expect((await engine.user({ user: 'app' })).acls).toHaveLength(1 + rights.length + denials.length);

    await engine.changeCluster({ act: 'allowLogins', users: ['app'] });
    await expect.poll(denied).toEqual(['app KafkaUser none', 'shop-a SecretRotation/shop/shop none']);
    await expect.poll(() => produced(producer)).toBe('taken');
    await expect.poll(consumed, { timeout: 120_000 }).toBe('v');
    expect((await engine.user({ user: 'app' })).acls).toHaveLength(1 + rights.length);
  }, 60_000);

  it('are refused anew when a person has removed one of the denials', async () => {
    await engine.changeCluster({ act: 'refuseLogins', users: ['app'] });
    await expect.poll(denied).toContain('app KafkaUser all');
    await engine.changeUser({ act: 'setAcls', user: 'app', add: [], remove: denials.slice(0, 1) });
    await expect.poll(denied).toContain('app KafkaUser some');
  });

  describe('and its topics', () => {
    const mark = (changes: Partial<Record<'claimed' | 'released' | 'unclaimed', readonly string[]>>) =>
      engine.changeCluster({ act: 'markTopics', claimed: [], released: [], unclaimed: [], ...changes });
    const marks = async () =>
      (await engine.cluster()).topics?.map(
        (one) => `${one.topic} ${one.exists ? 'exists' : 'is missing'}${one.isUnclaimed ? ' unclaimed' : ''}`,
      );

    it('are reported by their marks, which give and take no right', async () => {
      await engine.changeCluster({ act: 'allowLogins', users: ['app'] });
      expect(await marks()).toEqual([]);
      await mark({ claimed: [topic, 'missing', 'other'] });
      await expect.poll(marks).toEqual(['missing is missing', 'other is missing', `${topic} exists`]);
      await mark({ claimed: [topic] });
      await expect.poll(denied).toEqual(['app KafkaUser none', 'shop-a SecretRotation/shop/shop none']);
      await expect.poll(() => produced(producer)).toBe('taken');
    });

    it('are unclaimed only while they exist, until they are claimed again', async () => {
      await mark({ unclaimed: [topic, 'missing'] });
      await expect.poll(marks).toEqual(['other is missing', `${topic} exists unclaimed`]);
      await expect.poll(() => produced(producer)).toBe('taken');
      await mark({ claimed: [topic], unclaimed: ['other'] });
      await expect.poll(marks).toEqual([`${topic} exists`]);
    });

    it('lose all marks when they are released, or when they are deleted', async () => {
      await engine.changeTopic({ act: 'create', topic: 'orders', partitions: 1, replication: 1, config: {} });
      await mark({ claimed: ['orders'] });
      await mark({ unclaimed: ['orders', topic] });
      await expect.poll(marks).toEqual(['orders exists unclaimed', `${topic} exists unclaimed`]);
      await mark({ released: [topic] });
      await expect.poll(marks).toEqual(['orders exists unclaimed']);

      const { topic: orders } = await engine.topic('orders');
      await engine.changeTopic({ act: 'delete', topic: 'orders', id: orders?.id ?? '' });
      await expect.poll(marks).toEqual(['orders is missing unclaimed']);
      await mark({ unclaimed: ['orders'] });
      await expect.poll(marks).toEqual([]);
    });
  });
});

/** The names of an error and its causes. */
function reasonOf(error: unknown): string {
  const parts: string[] = [];
  const add = (one: unknown): void => {
    if (!(one instanceof Error)) return;
    const { apiId = '', errors = [], cause } = one as { apiId?: unknown; errors?: readonly unknown[]; cause?: unknown };
    parts.push(`${one.message} ${apiId}`);
    for (const inner of errors) add(inner);
    add(cause);
  };
  add(error);
  return parts.join('; ');
}
