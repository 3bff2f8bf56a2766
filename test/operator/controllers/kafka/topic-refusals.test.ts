import { Chart, Testing } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { kafkaClusterSpec, kafkaTopicSpec, withDefaults } from '../../../../crds/index.js';
import { desire } from '../../../../operator/controllers/kafka/topic/desire.js';
import type { TopicFacts } from '../../../../operator/controllers/kafka/topic/facts.js';
import { clusterPart } from '../../../../operator/kafka/cluster-part.js';

/** Renders a topic in a cluster of this many brokers. */
function render(spec: object, brokers: number, config: Readonly<Record<string, string>> = {}): void {
  const input = { brokers: { replicas: brokers, storage: { size: '1Gi' } }, config };
  const cluster = { metadata: { name: 'events', uid: 'u' }, spec: withDefaults(kafkaClusterSpec, input) };
  const facts = {
    resource: {
      metadata: { name: 'orders', namespace: 'shop' },
      spec: withDefaults(kafkaTopicSpec, { cluster: { name: 'events' }, ...spec }),
    },
    reads: { cluster: clusterPart(cluster as never), claimants: [] },
    polled: {},
  };
  desire(new Chart(Testing.app(), 'chart'), facts as unknown as TopicFacts);
}

describe('a topic with fewer replicas than the min.insync.replicas that it inherits', () => {
  it('is refused, because producers with acks=all would be', () => {
    expect(() => render({ replication: 1 }, 3)).toThrow(
      'spec.replication: Invalid value: 1: must be at least min.insync.replicas, which is 2 in KafkaCluster events, or producers with acks=all are refused; raise it, or set min.insync.replicas in spec.config to 1 or lower',
    );
    expect(() => render({ replication: 2 }, 3, { 'min.insync.replicas': '3' })).toThrow('which is 3');
  });

  it.each([
    { when: 'it has its own', spec: { replication: 1, config: { 'min.insync.replicas': '1' } }, brokers: 3 },
    { when: 'the cluster needs one', spec: { replication: 1 }, brokers: 1 },
    { when: 'it has as many replicas', spec: { replication: 2 }, brokers: 3 },
  ])('is accepted when $when', ({ spec, brokers }) => {
    expect(() => render(spec, brokers)).not.toThrow();
  });
});
