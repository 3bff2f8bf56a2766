import { afterEach, describe, expect, test } from 'vitest';
import { kafkaTopicSpec, withDefaults } from '../../../../crds/index.js';
import { kafkaTopicKind } from '../../../../imports/index.js';
import { kafkaCluster } from '../../../../operator/controllers/kafka/cluster/index.js';
import type { ClusterAnswer, MarkedTopic } from '../../../../operator/controllers/kafka/ports/cluster.js';
import { kafkaTopic } from '../../../../operator/controllers/kafka/topic/index.js';
import type { Controller } from '../../../../operator/runtime/index.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { closeAll } from '../../runtime/given/oracle.js';
import { conditionOf } from '../../runtime/given/widgets.js';
import { answer } from './given-kafka.js';
import { givenServing } from './given-serving.js';
import type { Topics } from './kafka-models.js';

afterEach(closeAll);

const marked = (topic: string): MarkedTopic => ({ topic, exists: true, isUnclaimed: false });

describe('a cluster with KafkaTopics', () => {
  const state = (id: string) => ({ id, partitions: 3, replication: 3, config: {}, underReplicated: 0 });

  const given = async (topics: readonly MarkedTopic[], existing: Topics = {}) => {
    const controllers = [kafkaCluster, kafkaTopic] as unknown as readonly Controller[];
    const serving = await givenServing({}, { controllers, answer: answer({ topics }), topics: existing });
    const { operator, brokers } = serving;
    const { memory, clock } = operator;
    const at = (name: string) => ({ name, namespace: 'shop' });
    const give = async (name: string, deletionPolicy: 'Delete' | 'Retain') => {
      const spec = withDefaults(kafkaTopicSpec, { cluster: { name: 'events' }, deletionPolicy } as never);
      const object = { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'KafkaTopic', metadata: at(name), spec };
      await operator.given(kafkaTopicKind, object as Manifest);
      await clock.advance(60_000);
    };
    const remove = async (name: string) => {
      const found = await memory.read(kafkaTopicKind, at(name));
      await memory.remove(kafkaTopicKind, at(name), { uid: found?.metadata.uid ?? '' });
    };
    const marks = () => ((brokers.state as ClusterAnswer).topics ?? []).map(({ topic }) => topic);
    const names = () => Object.keys(serving.topics.state as Topics);
    const reason = async () => (await serving.told('TopicsClaimed')).reason;
    const isReady = async () => (conditionOf(await serving.read(), 'Ready') as { status?: string })?.status;
    return { ...serving, give, remove, marks, names, reason, isReady, clock };
  };

  test('marks a topic while a KafkaTopic with deletionPolicy Delete has it', async () => {
    const { give, marks, reason } = await given([]);
    await give('orders', 'Delete');
    await give('audit', 'Retain');
    expect(marks()).toEqual(['orders']);
    await give('orders', 'Retain');
    expect(marks()).toEqual([]);
    await give('audit', 'Delete');
    expect(marks()).toEqual(['audit']);
    expect(await reason()).toBe('Claimed');
  });

  test('never reports a topic that is deleted with its KafkaTopic', async () => {
    const { give, remove, marks, names, reason, clock } = await given([]);
    await give('orders', 'Delete');
    await remove('orders');
    const seen = new Set<string | undefined>();
    for (let n = 0; n < 240; n++) {
      await clock.advance(250);
      seen.add(await reason());
    }
    expect(names()).toEqual([]);
    expect(marks()).toEqual([]);
    expect([...seen]).toEqual(['Claimed']);
  });

  test('never reports a topic that a KafkaTopic keeps', async () => {
    const { give, remove, marks, names, reason, clock } = await given([]);
    await give('orders', 'Delete');
    await give('orders', 'Retain');
    await remove('orders');
    await clock.advance(60_000);
    expect(names()).toEqual(['orders']);
    expect(marks()).toEqual([]);
    expect(await reason()).toBe('Claimed');
  });

  test('that it brought back on its volumes stays Ready, and reports those without a KafkaTopic until one has them', async () => {
    const existing = { orders: state('id of orders'), audit: state('id of audit'), tools: state('id of tools') };
    const topics = ['orders', 'audit', 'gone'].map(marked);
    const { give, remove, marks, names, told, reason, isReady, clock, apply } = await given(topics, existing);
    expect(marks()).toEqual(['audit', 'orders']);
    expect((await told('TopicsClaimed')).message).toContain('No KafkaTopic has audit, orders; create');
    expect(await isReady()).toBe('True');

    await give('orders', 'Delete');
    expect((await told('TopicsClaimed')).message).toContain('No KafkaTopic has audit; create');
    await remove('orders');
    await clock.advance(60_000);
    expect(names()).toEqual(['audit', 'tools']);
    expect(marks()).toEqual(['audit']);

    await apply({}, { 'reconstruct.dev/allow-topics': 'audit' });
    await clock.advance(30_000);
    expect(await reason()).toBe('TopicsAllowed');
    await apply({}, {});
    await clock.advance(30_000);
    expect(await reason()).toBe('TopicsUnclaimed');
  });
});
