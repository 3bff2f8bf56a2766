import { Chart, Testing } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { kafkaClusterSpec, kafkaTopicSpec, withDefaults } from '../../../../crds/index.js';
import { assess } from '../../../../operator/controllers/kafka/topic/assess.js';
import { conditions } from '../../../../operator/controllers/kafka/topic/conditions.js';
import { desire } from '../../../../operator/controllers/kafka/topic/desire.js';
import type { TopicView } from '../../../../operator/controllers/kafka/topic/view.js';
import { clusterPart } from '../../../../operator/kafka/cluster-part.js';
import { ExternalCall } from '../../../../operator/runtime/index.js';
import { noCalls } from '../../../../operator/runtime/ports/external-call.js';

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
  desire(new Chart(Testing.app(), 'chart'), facts as unknown as TopicView);
}

describe('a topic with fewer replicas than the min.insync.replicas that it inherits', () => {
  it('is refused, because producers with acks=all would be', () => {
    expect(() => render({ replication: 1 }, 3)).toThrow(
      'spec.replication: Invalid value: 1: must be at least min.insync.replicas, which is 2 in KafkaCluster events, or producers with acks=all are refused; raise it, or set min.insync.replicas in spec.config to 1 or lower',
    );
    expect(() => render({ replication: 2 }, 3, { 'min.insync.replicas': '3' })).toThrow('which is 3');
  });

  it.each<{ when: string; spec: object; brokers: number; config?: Record<string, string> }>([
    { when: 'it has its own', spec: { replication: 1, config: { 'min.insync.replicas': '1' } }, brokers: 3 },
    { when: 'the cluster needs one', spec: { replication: 1 }, brokers: 1 },
    { when: 'it has as many replicas', spec: { replication: 2 }, brokers: 3 },
    {
      ...{ when: 'that of the cluster is no number, which the brokers refuse', spec: { replication: 1 }, brokers: 3 },
      config: { 'min.insync.replicas': 'two' },
    },
  ])('is accepted when $when', ({ spec, brokers, config = {} }) => {
    expect(() => render(spec, brokers, config)).not.toThrow();
  });
});

describe('a topic of three replicas that does not exist yet', () => {
  /** Facts about a cluster with these brokers, of which some run. @param version that all nodes have run */
  const given = (wanted: number, running: number, version?: string) => {
    const input = { brokers: { replicas: wanted, storage: { size: '1Gi' } } };
    const nodes = Array.from({ length: wanted }, (_, id) => ({
      ...{ name: `events-broker-${id}`, id, role: 'Broker', state: id < running ? 'Running' : 'Starting' },
    }));
    const status = { nodes, ...(version !== undefined && { version }) };
    const cluster = { metadata: { name: 'events', uid: 'u' }, spec: withDefaults(kafkaClusterSpec, input), status };
    return {
      resource: {
        metadata: { name: 'orders', namespace: 'shop' },
        spec: withDefaults(kafkaTopicSpec, { cluster: { name: 'events' }, replication: 3 }),
      },
      reads: { cluster: clusterPart(cluster as never), claimants: [] },
      polled: { topic: { known: true, value: {}, at: 0, earlier: [] } },
      calls: noCalls,
    } as unknown as TopicView & { readonly calls: typeof noCalls };
  };
  const callsFor = (facts: TopicView) => {
    const chart = new Chart(Testing.app(), 'chart');
    desire(chart, facts);
    return chart.node.findAll().filter(ExternalCall.isExternalCall).length;
  };

  it.each([
    { is: 'BrokersPending', when: 'two of the three brokers of a new cluster run', facts: given(3, 2) },
    { is: 'Creating', when: 'all three run', facts: given(3, 3) },
    { is: 'Creating', when: 'the cluster will not have enough: Kafka tells why', facts: given(2, 1) },
    { is: 'Creating', when: 'a broker of an older cluster is down', facts: given(3, 2, '4.4') },
  ])('is $is when $when', ({ is, facts }) => {
    const { reason, message } = assess(facts).conditions.Configured as { reason: string; message?: string };
    expect(reason).toBe(is);
    expect(callsFor(facts)).toBe(is === 'Creating' ? 1 : 0);
    if (is !== 'BrokersPending') return;
    expect(message).toBe('The topic is created when 3 brokers of KafkaCluster events run; 2 do');
    expect(conditions.Configured.BrokersPending[0]).toBe('Unknown');
  });
});
