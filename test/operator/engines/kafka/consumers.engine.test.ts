import { Consumer } from '@platformatic/kafka';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GivenKafka, kafkaAbsence } from '../../../given/kafka.js';
import { counted } from './counted-requests.js';
import { GivenEngine } from './given-engine.js';
import { produce } from './produced-records.js';

const absence = await kafkaAbsence();
/** The numbers of the calls in the protocol. */
const [listOffsets, offsetFetch, listGroups] = [2, 9, 16];

describe.skipIf(absence !== undefined)('the consumer groups of a cluster of two brokers', () => {
  let kafka: GivenKafka;
  let engine: GivenEngine;

  beforeAll(async () => {
    kafka = await GivenKafka.start({ controllers: 1, brokers: 2 });
    engine = new GivenEngine(kafka.operator, () => kafka.bootstrap);
    for (const topic of ['orders', 'news'])
      await engine.changeTopic({ act: 'create', topic, partitions: 3, replication: 1, config: {} });
    await vi.waitFor(async () => expect((await engine.topic('news')).topic).toBeDefined(), 60_000);
  });
  afterAll(async () => {
    await engine?.[Symbol.asyncDispose]();
    await kafka?.[Symbol.asyncDispose]();
  });

  it('are none before one commits an offset', async () => {
    expect(await engine.consumers()).toEqual({ lags: [], omitted: 0 });
  });

  it('are as far behind as they have not read', async () => {
    await produce(kafka, { topic: 'orders', bytes: 1_000_000 });
    await produce(kafka, { topic: 'news', bytes: 300_000 });
    for (const group of ['bill', 'mail', 'shop']) await commit(group, 'orders', 10n);
    await commit('shop', 'news', 0n);
    // 100 records in three partitions, of each of which 10 are read.
    const orders = ['bill', 'mail', 'shop'].map((group) => ({ group, topic: 'orders', lag: 70 }));
    const news = { group: 'shop', topic: 'news', lag: 30 };
    await expect
      .poll(() => engine.consumers(), { timeout: 120_000 })
      .toEqual({
        ...{ lags: [...orders.slice(0, 2), news, ...orders.slice(2)], omitted: 0 },
      });
    expect(await engine.consumers(3)).toEqual({ lags: orders, omitted: 1 });
  });

  it('cost a few requests for each broker, not for each group', async () => {
    const requests = await counted(() => engine.consumers());
    expect(requests[listGroups]).toBe(2);
    expect(requests[offsetFetch]).toBeLessThanOrEqual(2);
    expect(requests[listOffsets]).toBeLessThanOrEqual(2);
  });

  async function commit(group: string, topic: string, offset: bigint): Promise<void> {
    const { operator, bootstrap } = kafka;
    const consumer = new Consumer({
      ...{ clientId: 'test', groupId: group },
      bootstrapBrokers: bootstrap.map(({ host, port }) => `${host}:${port}`),
      tls: { cert: operator.certificate, key: operator.key, ca: operator.ca },
    });
    try {
      await consumer.joinGroup({});
      const offsets = [0, 1, 2].map((partition) => ({ topic, partition, offset, leaderEpoch: 0 }));
      await consumer.commit({ offsets });
      await consumer.leaveGroup(true);
    } finally {
      await consumer.close(true);
    }
  }
});
