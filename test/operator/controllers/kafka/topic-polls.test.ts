import { afterEach, expect, test } from 'vitest';
import { kafkaClusterSpec, kafkaTopicSpec, withDefaults } from '../../../../crds/index.js';
import { kafkaClusterKind, kafkaTopicKind } from '../../../../imports/index.js';
import { kafkaTopic } from '../../../../operator/controllers/kafka/topic/index.js';
import type { Controller } from '../../../../operator/runtime/index.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { MemoryPort } from '../../../../operator/testing/index.js';
import { GivenOperator } from '../../runtime/given/operator.js';
import { closeAll, runs } from '../../runtime/given/oracle.js';
import { conditionOf } from '../../runtime/given/widgets.js';
import { topicModel } from './kafka-models.js';

afterEach(closeAll);

const apiVersion = 'reconstruct.dev/v1alpha1';
const namespace = 'shop';

/** A KafkaTopic of a cluster that starts. The brokers do not answer yet. */
async function given() {
  const topics = new MemoryPort(topicModel());
  topics.silence = 'nobody answers';
  const operator = runs(
    new GivenOperator({ controllers: [kafkaTopic as unknown as Controller], ports: [topics.provided] }),
  );
  const { clock, memory } = operator;
  const cluster = { apiVersion, kind: 'KafkaCluster', metadata: { name: 'events', namespace } };
  const spec = withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } } });
  await memory.apply(kafkaClusterKind, { ...cluster, spec } as Manifest, { manager: 'somebody' });
  const nodes = [0, 1, 2].map((id) => ({ name: `events-broker-${id}`, id, role: 'Broker', state: 'Running' }));
  const report = async (status: 'True' | 'Unknown') => {
    const lastTransitionTime = '2026-11-27T12:00:00Z';
    const conditions = [{ type: 'Available', status, reason: 'Told', message: '', lastTransitionTime }];
    const told = { ...cluster, status: { nodes, conditions } } as Manifest;
    await memory.apply(kafkaClusterKind, told, { manager: 'kafka', subresource: 'status' });
  };
  await report('Unknown');
  await operator.start();
  const topic = withDefaults(kafkaTopicSpec, { cluster: { name: 'events' }, replication: 3 });
  const metadata = { name: 'orders', namespace };
  await operator.given(kafkaTopicKind, { apiVersion, kind: 'KafkaTopic', metadata, spec: topic } as Manifest);
  const isReady = async () => conditionOf(await memory.read(kafkaTopicKind, metadata), 'Ready')?.['status'];
  // Failures in a row lengthen the pause.
  await clock.advance(100_000);
  expect(await isReady()).not.toBe('True');
  topics.silence = undefined;
  return { clock, report, isReady };
}

test.each([
  { within: 3_000, when: 'reports that it serves', status: 'True' as const },
  { within: 8_000, when: 'has not reported it yet, and its brokers answer', status: 'Unknown' as const },
])('a KafkaTopic is ready within $within ms when its KafkaCluster $when', async ({ within, status }) => {
  const { clock, report, isReady } = await given();
  await report(status);
  await clock.advance(within);
  expect(await isReady()).toBe('True');
});
