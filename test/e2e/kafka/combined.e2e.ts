import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figure, seconds } from '../algorithm/figure.js';
import { listed } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import { isReady, Pod } from '../cluster/kinds.js';
import { kubectl } from '../cluster/kubectl.js';
import { Producer } from './records.js';
import { small, TriedKafka } from './tried-kafka.js';

const namespace = givenNamespace('kafka-combined');
const kafka = new TriedKafka(namespace, { ...small, controllers: { combined: true } });
const isSettled = () => kafka.isSettled();

describe('lines 1 to 5 and 9: a KafkaCluster whose brokers are its controllers', () => {
  let producer: Producer;

  beforeAll(async () => {
    const began = Date.now();
    await kafka.begin();
    figure(1, `three brokers that are controllers after ${seconds(began, Date.now())}`);
    producer = await Producer.start(kafka.site, 200);
  }, 420_000 * slower);
  afterAll(async () => {
    await producer?.[Symbol.asyncDispose]().catch(console.error);
    await kafka.end();
  });

  it('line 1: has three Pods, each with a vote', async () => {
    const names = (await kafka.pods()).map(({ metadata }) => metadata.name);
    expect(names.toSorted()).toEqual([0, 1, 2].map((id) => `events-broker-${id}`));
    const { status } = (await kafka.live()) ?? {};
    expect(status?.controllers).toBe('3/3');
    expect(status?.nodes?.filter(({ directoryId }) => directoryId !== undefined)).toHaveLength(3);
  });

  it(
    'line 2: the active controller is deleted by force: producers go on, and no record is lost',
    async () => {
      const active = await kafka.activeController();
      const name = `events-broker-${active}`;
      const podOf = async () => (await listed(Pod, { namespace })).find(({ metadata }) => metadata.name === name);
      const before = (await podOf())?.metadata.uid;
      const isBack = async () => {
        const now = await podOf();
        return now !== undefined && now.metadata.uid !== before && isReady(now);
      };
      await producer.during(2, 'active controller that is a broker killed', async () => {
        await kubectl(['--namespace', namespace, 'delete', 'pod', name, '--grace-period=0', '--force']);
        await kafka.until(`${name} is back`, isBack);
        await kafka.until('all replicas are in sync', isSettled);
      });
      expect((await kafka.live())?.status?.controllers).toBe('3/3');
    },
    600_000 * slower,
  );

  it(
    'line 3: a property that needs a restart rolls every broker once',
    async () => {
      const before = (await kafka.brokers()).map(({ metadata }) => metadata.uid);
      await producer.during(3, 'all brokers that are controllers replaced for a property', async () => {
        await kafka.apply({ config: { 'queued.max.requests': '400' } });
        await kafka.until('all brokers have it', isSettled, 400);
      });
      const after = (await kafka.brokers()).map(({ metadata }) => metadata.uid);
      expect(after).toHaveLength(3);
      expect(after.filter((uid) => before.includes(uid))).toEqual([]);
    },
    600_000 * slower,
  );

  it('every acknowledged record is there', async () => expect(await producer.lost()).toEqual([]), 400_000 * slower);

  it(
    'line 9: its brokers stop together when it is deleted',
    async () => {
      const start = Date.now();
      await kubectl(['--namespace', namespace, 'delete', 'kcl', 'events', '--timeout=200s']);
      figure(9, `three brokers that are controllers deleted after ${seconds(start, Date.now())}`);
      expect(await kafka.pods()).toEqual([]);
    },
    300_000 * slower,
  );
});
