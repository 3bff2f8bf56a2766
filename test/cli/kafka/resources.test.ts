import { describe, expect, it } from 'vitest';
import { kafkaTopics } from '../../../cli/kafka/resources.js';
import { kafkaClusterKind, kafkaTopicKind, kafkaUserKind } from '../../../imports/index.js';
import { ApiError } from '../../../operator/runtime/kubernetes/errors.js';
import { type ObjectKind, Pod } from '../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../operator/testing/index.js';

const name = { namespace: 'shop', name: 'events' };

async function given(): Promise<MemoryCluster> {
  const cluster = new MemoryCluster();
  const create = (kind: ObjectKind, named: string, object: object = {}, namespace = 'shop') => {
    const apiVersion = kind === Pod ? 'v1' : 'reconstruct.dev/v1alpha1';
    const labels = { 'reconstruct.dev/kafka-cluster': 'other', ...object };
    const metadata = { name: named, namespace, ...(kind === Pod && { labels }) };
    return cluster.create(kind, { apiVersion, kind: kind.kind, metadata, ...object } as Manifest, { manager: 'user' });
  };
  const of = (cluster: string) => ({ spec: { cluster: { name: cluster } } });
  await create(kafkaClusterKind, 'events', { spec: {} });
  await create(kafkaTopicKind, 'orders', of('events'));
  await create(kafkaTopicKind, 'payments', of('events'));
  await create(kafkaTopicKind, 'news', of('other'));
  await create(kafkaTopicKind, 'elsewhere', of('events'), 'team');
  await create(kafkaUserKind, 'shop', of('events'));
  await create(kafkaUserKind, 'guest', of('other'));
  await create(Pod, 'events-broker-0', { 'reconstruct.dev/kafka-cluster': 'events' });
  await create(Pod, 'other-broker-0');
  return cluster;
}

const names = (all: readonly { readonly metadata: { readonly name: string } }[]) =>
  all.map(({ metadata }) => metadata.name);

/** The cluster, which refuses to list some kinds, and lists others in pages of one object. */
const refusing = (cluster: Cluster, refused: Readonly<Record<string, ApiError>>) =>
  ({
    read: cluster.read.bind(cluster),
    list: async (...[kind, query]: Parameters<Cluster['list']>) => {
      const error = refused[kind.kind];
      if (error) throw error;
      return cluster.list(kind, { ...query, limit: 1 });
    },
  }) as Cluster;
const forbidden = new ApiError('pods is forbidden', { code: 403, reason: 'Forbidden' });

describe('the topics of a KafkaCluster', () => {
  it('are those that name it, in its namespace, also if they come in pages', async () => {
    expect(names(await kafkaTopics(refusing(await given(), {}), name))).toEqual(['orders', 'payments']);
  });

  it('need a KafkaCluster', async () => {
    await expect(kafkaTopics(await given(), { ...name, name: 'event' })).rejects.toThrow(
      'KafkaCluster shop/event not found; check the name and --namespace',
    );
  });

  it('need the right to list them', async () => {
    expect(names(await kafkaTopics(await given(), name))).toEqual(['orders', 'payments']);
    await expect(kafkaTopics(refusing(await given(), { KafkaTopic: forbidden }), name)).rejects.toThrow('forbidden');
  });
});
