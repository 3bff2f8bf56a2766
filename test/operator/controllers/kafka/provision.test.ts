import { ApiObject, App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../crds/index.js';
import { desire } from '../../../../operator/controllers/kafka/cluster/desire.js';
import { availableOf } from '../../../../operator/controllers/kafka/cluster/findings/available.js';
import { provisionedOf } from '../../../../operator/controllers/kafka/cluster/findings/provisioned.js';
import { replicatedOf } from '../../../../operator/controllers/kafka/cluster/findings/replicated.js';
import { rejectionPolicyOf } from '../../../../operator/runtime/rendering/object-policies.js';
import { factsOf } from '../../../../operator/testing/index.js';
import { answer, member, situation, six } from './given-kafka.js';

const provision = (voters: readonly number[]) =>
  provisionedOf({
    resource: { spec: { listeners: [] } } as never,
    situation: situation(six(), { cluster: answer({ quorum: { voters: voters.map((id) => member(id)) } }) }),
    ...{ steps: [], call: { state: 'none' }, hook: undefined, hasRoutes: true },
  });

test('a KafkaCluster is provisioned when every controller can vote, and not before', () => {
  expect(provision([1_000, 1_001, 1_002])).toEqual({ reason: 'NodesReady' });
  expect(provision([1_000, 1_001])).toEqual({
    reason: 'Provisioning',
    message: 'Waiting until events-controller-1002 can vote in the metadata quorum',
  });
});

test('a broker that loads its log is named with that', () => {
  const cluster = answer({ fenced: [1], quorum: { observers: [member(1)] } });
  const seen = {
    resource: { spec: { listeners: [] } } as never,
    situation: situation(six({ 1: { isReady: false } }), { cluster }),
    ...{ steps: [], call: { state: 'none' } as const, hook: undefined, hasRoutes: true },
  };
  expect(provisionedOf(seen)).toEqual({
    reason: 'Provisioning',
    message: 'Waiting for events-broker-1 (loads its log)',
  });
  const underReplicated = answer({ ...cluster, fenced: [1], partitions: { underReplicated: 3 } });
  const behind = { ...seen, situation: { ...seen.situation, cluster: underReplicated } };
  expect(replicatedOf(behind).message).toContain('events-broker-1 is not ready: it loads its log');
});

describe('a broker whose Pod the API server refuses', () => {
  const quota = 'pods "events-broker-1" is forbidden: exceeded quota: team: raise pods of ResourceQuota team';
  const gone = six({ 1: { pod: 'none', isReady: false } });
  const partitions = { underMinIsr: 2, underReplicated: 4, offline: 1 };
  const seen = (nodes: ReturnType<typeof six>, blocker?: string) => ({
    resource: { spec: { listeners: [] } } as never,
    situation: situation(nodes, { cluster: answer({ fenced: [1], partitions }) }),
    ...{ steps: [], call: { state: 'none' } as const, hook: undefined, hasRoutes: true, blocker },
  });

  test('is named with the reason', () => {
    expect(provisionedOf(seen(gone, quota))).toEqual({
      reason: 'NodeNotReady',
      message: `events-broker-1 has no Pod: ${quota}`,
    });
  });

  test.each([
    ['another object is refused', six(), quota],
    ['nothing is refused', gone, undefined],
  ])('is not named when %s', (_, nodes, blocker) => {
    expect(provisionedOf(seen(nodes, blocker)).reason).not.toBe('NodeNotReady');
  });

  test('does not keep earlier conditions: they are what the brokers answer', () => {
    expect(availableOf(seen(gone, quota)).reason).toBe('PartitionsOffline');
    expect(replicatedOf(seen(gone, quota)).message).toContain('events-broker-1 has no Pod yet');
  });

  test('does not hold up other objects and requests', () => {
    const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
    const resource = {
      ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'KafkaCluster' },
      metadata: { name: 'events', namespace: 'shop', uid: 'uid' },
      spec: withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } } }),
    };
    const certificate = { authorities: 'a', fingerprint: 'n' };
    const reads = { nodes: [], claims: [], nodeCertificate: certificate, listenerCertificates: [] };
    desire(chart, factsOf(resource as never, { reads: reads as never }) as never);
    const pods = chart.node.findAll().filter((one) => ApiObject.isApiObject(one) && one.kind === 'Pod') as ApiObject[];
    expect(pods).toHaveLength(6);
    for (const pod of pods) expect(rejectionPolicyOf(pod)).toMatchObject({ holdsUp: false });
  });
});
