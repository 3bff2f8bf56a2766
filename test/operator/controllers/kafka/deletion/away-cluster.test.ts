import { describe, expect, test } from 'vitest';
import { kafkaClusterSpec, kafkaTopicSpec, kafkaUserSpec, withDefaults } from '../../../../../crds/index.js';
import { kafkaTopic } from '../../../../../operator/controllers/kafka/topic/index.js';
import { kafkaUser } from '../../../../../operator/controllers/kafka/user/index.js';
import { clusterPart, clusterVolume } from '../../../../../operator/kafka/cluster-part.js';
import type { Controller } from '../../../../../operator/runtime/index.js';
import { renderAll } from '../../../../../operator/runtime/rendering/render.js';
import { factsOf } from '../../../../../operator/testing/index.js';

const apiVersion = 'reconstruct.dev/v1alpha1';
const deletionTimestamp = '2026-11-29T00:00:00Z';
const spec = { cluster: { name: 'east' } };

/** A PVC of the cluster. */
const volume = (metadata: object = {}) => clusterVolume({ metadata } as never);
const kept = [volume()];

/** The cluster. @param nodes how many brokers its status lists */
function east({ deletionPolicy = 'Retain', isGoing = false, nodes = 0 } = {}) {
  const input = { brokers: { storage: { size: '1Gi' } }, deletionPolicy } as never;
  return clusterPart({
    metadata: { name: 'east', namespace: 'shop', uid: 'u', ...(isGoing && { deletionTimestamp }) },
    spec: withDefaults(kafkaClusterSpec, input),
    status: { nodes: Array.from({ length: nodes }, (_, id) => ({ name: `east-broker-${id}`, role: 'Broker' })) },
  } as never);
}

interface Given {
  readonly cluster?: ReturnType<typeof clusterPart>;
  readonly volumes?: readonly ReturnType<typeof clusterVolume>[];
  readonly isNamespaceEnding?: boolean;
}

function keptOf(controller: unknown, resource: object, { cluster, volumes = kept, isNamespaceEnding }: Given) {
  const reads = { cluster, volumes, isNamespaceEnding, claimants: [], trusted: undefined };
  return renderAll(controller as Controller, factsOf(resource as never, { reads })).keeps;
}

const user = { apiVersion, kind: 'KafkaUser', metadata: { name: 'app', namespace: 'shop', deletionTimestamp } };
const keptOfUser = (given: Given) => keptOf(kafkaUser, { ...user, spec: withDefaults(kafkaUserSpec, spec) }, given);

function keptOfTopic(given: Given, { policy = 'Delete', status = { topicId: 'id' } as object, isDeleted = true } = {}) {
  const metadata = { name: 'orders', namespace: 'shop', ...(isDeleted && { deletionTimestamp }) };
  const wanted = withDefaults(kafkaTopicSpec, { ...spec, deletionPolicy: policy } as never);
  return keptOf(kafkaTopic, { apiVersion, kind: 'KafkaTopic', metadata, spec: wanted, status }, given);
}

const why = 'KafkaCluster east does not run and its volumes are kept: create it again, or delete its PVCs';

describe('a deleted topic or user of a cluster that does not run', () => {
  test.each<{ when: string; given: Given; isKept: boolean }>([
    { when: 'the cluster is deleted and its volumes are kept', given: {}, isKept: true },
    {
      when: 'the cluster is being deleted and keeps its volumes',
      given: { cluster: east({ isGoing: true }) },
      isKept: true,
    },
    { when: 'the cluster is there and has no brokers yet', given: { cluster: east() }, isKept: true },
    { when: 'no volume is left', given: { volumes: [] }, isKept: false },
    { when: 'its volumes go with the namespace', given: { volumes: [volume({ deletionTimestamp })] }, isKept: false },
    {
      when: 'the volumes that are left have no part in the cluster',
      given: { volumes: [volume({ labels: { 'reconstruct.dev/retired': 'lost' } })] },
      isKept: false,
    },
    {
      when: 'the cluster is being deleted with its volumes',
      given: { cluster: east({ isGoing: true, deletionPolicy: 'Delete' }) },
      isKept: false,
    },
    { when: 'the cluster can be asked', given: { cluster: east({ nodes: 3 }) }, isKept: false },
  ])('waits: $isKept, when $when', ({ given, isKept }) => {
    const expected = isKept ? [{ why }] : [];
    expect(keptOfUser(given)).toEqual(expected);
    expect(keptOfTopic(given)).toEqual(expected);
  });

  test.each<{ when: string; topic: Parameters<typeof keptOfTopic>[1] }>([
    { when: 'its topic stays', topic: { policy: 'Retain' } },
    { when: 'its topic was never created', topic: { status: {} } },
    { when: 'it is not deleted', topic: { isDeleted: false } },
  ])('waits for nothing if $when', ({ topic }) => {
    expect(keptOfTopic({}, topic)).toEqual([]);
  });
});

describe('a topic or user whose namespace is being deleted', () => {
  const ending =
    'namespace shop is being deleted and still has the volumes of KafkaCluster east: wait until its PVCs are deleted';

  test('waits for the volumes and does not ask for a new cluster', () => {
    expect(keptOfUser({ isNamespaceEnding: true })).toEqual([{ why: ending }]);
    expect(keptOfTopic({ isNamespaceEnding: true })).toEqual([{ why: ending }]);
    expect(keptOfUser({ isNamespaceEnding: true, volumes: [] })).toEqual([]);
  });

  const gone = 'Namespace shop is being deleted, and KafkaCluster east does not exist any more';
  const going = 'Namespace shop is being deleted, and KafkaCluster east goes with it';
  const silent = { at: 1, known: false, why: 'Secret east-operator-tls does not exist' } as const;
  test.each<{ reason: string; message: string; when: string; given: Given; polled?: typeof silent }>([
    { reason: 'NamespaceTerminating', message: gone, when: 'the cluster is gone', given: { isNamespaceEnding: true } },
    {
      reason: 'NamespaceTerminating',
      message: going,
      when: 'the cluster is being deleted',
      given: { isNamespaceEnding: true, cluster: east({ isGoing: true, nodes: 3 }) },
    },
    {
      reason: 'NamespaceTerminating',
      message: going,
      when: 'the brokers and the Secret of the operator are gone before the cluster is deleted',
      given: { isNamespaceEnding: true, cluster: east({ nodes: 3 }) },
      polled: silent,
    },
    {
      reason: 'ClusterUnknown',
      message: 'The brokers do not answer: Secret east-operator-tls does not exist',
      when: 'the namespace stays',
      given: { isNamespaceEnding: false, cluster: east({ nodes: 3 }) },
      polled: silent,
    },
  ])('reports $reason when $when', ({ reason, message, given, polled }) => {
    const { cluster, volumes = kept, isNamespaceEnding } = given;
    const reads = { cluster, volumes, isNamespaceEnding, claimants: [], trusted: undefined };
    const of = (controller: unknown, kind: string, spec: object) => {
      const resource = { apiVersion, kind, metadata: { name: 'app', namespace: 'shop', deletionTimestamp }, spec };
      const facts = factsOf(resource as never, { reads });
      const outcome = { ...facts, polled: { topic: polled, user: polled }, calls: { of: () => ({ state: 'none' }) } };
      const { conditions } = (controller as Controller).assess(outcome as never);
      return conditions as Readonly<Record<string, object>>;
    };
    const topic = of(kafkaTopic, 'KafkaTopic', withDefaults(kafkaTopicSpec, spec));
    const user = of(kafkaUser, 'KafkaUser', withDefaults(kafkaUserSpec, spec));
    expect(topic['Configured']).toEqual({ reason, message });
    expect([user['Authenticated'], user['Authorized']]).toEqual([
      { reason, message },
      { reason, message },
    ]);
  });
});

test('a deleted user is asked for without a login, because its Secret can trust an earlier cluster alone', () => {
  const asked = (isDeleted: boolean) => {
    const metadata = { name: 'app', namespace: 'shop', ...(isDeleted && { deletionTimestamp }) };
    const resource = { apiVersion, kind: 'KafkaUser', metadata, spec: withDefaults(kafkaUserSpec, spec) };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'app' }, data: { password: 'cA==' } };
    const reads = { cluster: east({ nodes: 3 }), volumes: kept, trusted: 'ca' };
    const facts = factsOf(resource as never, { owned: [secret as never], reads });
    const { question, secret: used } = (kafkaUser as unknown as Controller).polls['user']?.request(facts) ?? {};
    return { hasLogin: 'login' in (question as object), used };
  };
  expect(asked(false)).toEqual({ hasLogin: true, used: 'app' });
  expect(asked(true)).toEqual({ hasLogin: false, used: undefined });
});
