import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Acl } from '../../../../operator/kafka/users.js';
import { GivenKafka, identityOf, kafkaAbsence } from '../../../given/kafka.js';
import { certifiedClient } from './certified-client.js';
import { connected, counted } from './counted-requests.js';
import { GivenEngine } from './given-engine.js';

const absence = await kafkaAbsence();

describe.skipIf(absence !== undefined)('a cluster of one broker', () => {
  let kafka: GivenKafka;
  let engine: GivenEngine;

  beforeAll(async () => {
    kafka = await GivenKafka.start();
    engine = new GivenEngine(kafka.operator, () => kafka.bootstrap);
  });
  afterAll(async () => {
    await engine?.[Symbol.asyncDispose]();
    await kafka?.[Symbol.asyncDispose]();
  });

  const create = (topic: string, config: Readonly<Record<string, string>> = {}, mayLeave?: () => void) =>
    engine.changeTopic({ act: 'create', topic, partitions: 1, replication: 1, config }, mayLeave);
  const existing = async (topic: string) => {
    await expect.poll(() => engine.topic(topic)).toHaveProperty('topic');
    return (await engine.topic(topic)).topic;
  };

  describe('topics', () => {
    it('are created, changed and deleted', async () => {
      expect(await engine.topic('orders')).toEqual({});
      await create('orders', { 'retention.ms': '60000', 'cleanup.policy': 'delete' });
      expect(await existing('orders')).toEqual({
        ...{ id: expect.stringMatching(/^[\w-]{22}$/), partitions: 1, replication: 1, underReplicated: 0 },
        config: { 'retention.ms': '60000', 'cleanup.policy': 'delete' },
      });
      await engine.changeTopic({ act: 'addPartitions', topic: 'orders', partitions: 3 });
      const change = { set: { 'retention.ms': '70000' }, remove: ['cleanup.policy'] };
      await engine.changeTopic({ act: 'configure', topic: 'orders', ...change });
      await expect
        .poll(() => engine.topic('orders'))
        .toMatchObject({ topic: { partitions: 3, config: { 'retention.ms': '70000' } } });
      const id = (await existing('orders'))?.id ?? '';
      await engine.changeTopic({ act: 'delete', topic: 'orders', id });
      await expect.poll(() => engine.topic('orders')).toEqual({});
      // It is deleted once, whatever the process knows of the first time.
      await engine.changeTopic({ act: 'delete', topic: 'orders', id });
    });

    it('are deleted by their id: one that was created anew stays', async () => {
      await create('renewed');
      const old = (await existing('renewed'))?.id ?? '';
      await engine.changeTopic({ act: 'delete', topic: 'renewed', id: old });
      await expect.poll(() => engine.topic('renewed')).toEqual({});
      await create('renewed');
      const id = (await existing('renewed'))?.id ?? '';
      await engine.changeTopic({ act: 'delete', topic: 'renewed', id: old });
      expect((await existing('renewed'))?.id).toBe(id);
    });

    it.each([
      { kind: 'terminal', name: 'INVALID_CONFIG', topic: 'bad-config', config: { 'retention.ms': 'soon' } } as const,
      { kind: 'terminal', name: 'INVALID_TOPIC_EXCEPTION', topic: 'bad name' },
    ])('$kind, $name: the creation of $topic', async ({ kind, name, topic, config = {} }) => {
      const message = expect.stringMatching(new RegExp(`^[A-Z].* \\(${name}\\)$`));
      await expect(create(topic, config)).rejects.toMatchObject({ kind, message });
    });

    it('cannot lose partitions', async () => {
      await create('shrunk');
      await existing('shrunk');
      const shrink = engine.changeTopic({ act: 'addPartitions', topic: 'shrunk', partitions: 1 });
      await expect(shrink).rejects.toMatchObject({
        kind: 'terminal',
        message: expect.stringContaining('INVALID_PARTITIONS'),
      });
    });

    it('are created and read by the hundred with a few requests, and an invalid one fails alone', async () => {
      const names = Array.from({ length: 300 }, (_, n) => `many-${n}`);
      const requests = await counted(async () => {
        const done = await Promise.allSettled([...names.map((name) => create(name)), create('not valid')]);
        expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(1);
      });
      expect(requests).toEqual({ 60: 1, 19: 1 });
      await existing('many-299');
      const reads = await counted(async () => {
        const all = await Promise.allSettled([...names, 'unknown', 'not valid'].map((name) => engine.topic(name)));
        const found = all.filter((one) => one.status === 'fulfilled' && one.value.topic?.partitions === 1);
        expect(found).toHaveLength(300);
        expect(all.at(-2)).toEqual({ status: 'fulfilled', value: {} });
        expect(all.at(-1)).toMatchObject({ status: 'rejected', reason: { kind: 'terminal' } });
      });
      expect(reads).toEqual({ 3: 1, 32: 1 });
    });

    it('are not created after the lease has ended, although others of the same request are', async () => {
      const fenced = new Error('the lease has ended');
      const [first, second] = await Promise.allSettled([
        create('fenced', {}, () => {
          throw fenced;
        }),
        create('led'),
      ]);
      expect([first, second]).toEqual([
        { status: 'rejected', reason: fenced },
        { status: 'fulfilled', value: true },
      ]);
      await existing('led');
      expect(await engine.topic('fenced')).toEqual({});
    });
  });

  describe('users', () => {
    const password = 'correct-horse-battery';
    const login = () => ({ address: kafka.users[0] ?? { host: '', port: 0 }, hash: '1' });
    const secret = (text: string) => ({ password: text, 'ca.crt': kafka.authority.own.certificate });

    it('log in with the password of the Secret, and with no other', async () => {
      const user = { user: 'alice', login: login() };
      expect(await engine.user(user, secret(password))).toEqual({
        hasCredential: false,
        accepts: false,
        acls: [],
        quotas: {},
      });
      await engine.changeUser({ act: 'setPassword', user: 'alice', hash: '1' }, secret(password));
      await expect
        .poll(() => engine.user(user, secret(password)))
        .toMatchObject({ hasCredential: true, accepts: true });
      expect(await engine.user(user, secret('wrong'))).toMatchObject({ hasCredential: true, accepts: false });
      await engine.changeUser({ act: 'setPassword', user: 'alice', hash: '2' }, secret('renewed'));
      await expect.poll(() => engine.user(user, secret('renewed'))).toMatchObject({ accepts: true });
      expect(await engine.user(user, secret(password))).toMatchObject({ accepts: false });
      await engine.changeUser({ act: 'deletePassword', user: 'alice' });
      await expect.poll(() => engine.user({ user: 'alice' })).toMatchObject({ hasCredential: false });
      await engine.changeUser({ act: 'deletePassword', user: 'alice' });
    });

    it('log in after others were deleted and the broker was started again', async () => {
      const names = Array.from({ length: 8 }, (_, n) => `user-${n}`);
      const [kept = '', ...deleted] = names;
      const accepted = async () => (await engine.user({ user: kept, login: login() }, secret(password))).accepts;
      for (const user of names) await engine.changeUser({ act: 'setPassword', user, hash: '1' }, secret(password));
      for (const user of deleted) await engine.changeUser({ act: 'deletePassword', user });
      await expect.poll(accepted).toBe(true);
      // It replays its log: without the anchor, it forgets the user.
      await kafka.node(0).kill();
      await kafka.node(0).start();
      await expect.poll(() => accepted().catch(() => undefined), { timeout: 120_000 }).toBeTypeOf('boolean');
      expect(await accepted()).toBe(true);
    }, 60_000);

    it('log in with the files of a KafkaUser with a certificate, as its common name', async () => {
      await create('invoices');
      await existing('invoices');
      await using client = await certifiedClient(kafka, 'shop');
      expect(await client.produce('invoices')).toContain('TopicAuthorizationException');
      const add = [rule('Topic', 'invoices', 'Write'), rule('Topic', 'invoices', 'Describe')];
      await engine.changeUser({ act: 'setAcls', user: 'CN=shop', add, remove: [] });
      await expect.poll(() => client.produce('invoices'), { timeout: 60_000 }).toContain('"acked":1');
    }, 120_000);

    it('keep the rules and quotas that others made', async () => {
      const read: Acl = rule('Topic', 'orders', 'Read');
      const rules = [
        read,
        { ...rule('Group', 'shop-', 'All'), pattern: 'Prefixed' } as const,
        rule('Cluster', 'kafka-cluster', 'IdempotentWrite'),
      ];
      await engine.changeUser({ act: 'setAcls', user: 'bob', add: rules, remove: [] });
      await engine.changeUser({ act: 'setAcls', user: 'carol', add: [read], remove: [] });
      const quotas = { producerByteRate: 1_000_000, requestPercentage: 50 };
      await engine.changeUser({ act: 'setQuotas', user: 'bob', quotas });
      await engine.changeUser({ act: 'setQuotas', user: 'carol', quotas: { consumerByteRate: 5 } });
      await expect.poll(async () => sorted((await engine.user({ user: 'bob' })).acls)).toEqual(sorted(rules));
      await expect.poll(async () => (await engine.user({ user: 'bob' })).quotas).toEqual(quotas);
      await engine.changeUser({ act: 'setAcls', user: 'bob', add: [], remove: [read] });
      await engine.changeUser({ act: 'setQuotas', user: 'bob', quotas: { consumerByteRate: 7 } });
      await expect.poll(async () => (await engine.user({ user: 'bob' })).acls).toHaveLength(2);
      await expect.poll(async () => (await engine.user({ user: 'bob' })).quotas).toEqual({ consumerByteRate: 7 });
      expect(await engine.user({ user: 'carol' })).toMatchObject({ acls: [read], quotas: { consumerByteRate: 5 } });
    });

    it('cannot have an operation that Kafka does not know', async () => {
      const change = engine.changeUser({
        act: 'setAcls',
        user: 'dave',
        add: [rule('Topic', 'x', 'Admire')],
        remove: [],
      });
      await expect(change).rejects.toMatchObject({ kind: 'terminal' });
    });

    it('are read together with three requests', async () => {
      const requests = await counted(async () => {
        const users = await Promise.all(['bob', 'carol', 'nobody'].map((user) => engine.user({ user })));
        expect(users.map(({ acls }) => acls.length)).toEqual([2, 1, 0]);
      });
      expect(requests).toEqual({ 50: 1, 29: 1, 48: 1 });
    });
  });

  describe('connections', () => {
    it('are kept, and replaced when the Secret changes', async () => {
      const other = await identityOf(kafka.authority, 'events-operator');
      const before = engine.secret;
      await engine.topic('led');
      const kept = await connected(() => engine.topic('led'));
      const renewed = await connected(async () => {
        engine.secret = { 'tls.crt': other.certificate, 'tls.key': other.key, 'ca.crt': other.ca };
        await engine.topic('led');
      });
      engine.secret = before;
      expect([kept, renewed]).toEqual([0, 1]);
    });

    it.each([
      {
        expected: { kind: 'unauthorized', message: expect.stringContaining('must have the keys') },
        when: 'the Secret has no certificate',
        given: () => new GivenEngine({ ...kafka.operator, certificate: '' }, () => kafka.bootstrap),
      },
      {
        expected: { kind: 'unauthorized', message: expect.stringContaining('CLUSTER_AUTHORIZATION_FAILED') },
        when: 'the certificate is of a user without rights',
        given: async () => new GivenEngine(await identityOf(kafka.authority, 'someone'), () => kafka.bootstrap),
      },
      {
        expected: { kind: 'unreachable', message: expect.stringContaining('localhost:1 does not answer') },
        when: 'nobody listens',
        given: () => new GivenEngine(kafka.operator, () => [{ host: 'localhost', port: 1 }]),
      },
    ])('$expected.kind: $when', async ({ expected, given }) => {
      await using other = await given();
      await expect(
        other.changeCluster({ act: 'configure', set: { 'log.cleaner.threads': '1' }, remove: [] }),
      ).rejects.toMatchObject(expected);
    });

    it('end with the signal of the question', async () => {
      const reason = new Error('nobody waits');
      await expect(engine.topic('led', AbortSignal.abort(reason))).rejects.toBe(reason);
    });
  });
});

function rule(resource: Acl['resource'], name: string, operation: string): Acl {
  return { resource, name, pattern: 'Literal', operation, permission: 'Allow' };
}

function sorted(acls: readonly Acl[]): readonly string[] {
  return acls.map((acl) => JSON.stringify(Object.entries(acl).sort())).sort();
}
