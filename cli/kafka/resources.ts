import {
  type KafkaClusterResource,
  type KafkaTopicResource,
  type KafkaUserResource,
  kafkaClusterKind,
  kafkaTopicKind,
  kafkaUserKind,
} from '../../imports/index.js';
import { type LivePod, Pod } from '../../operator/runtime/kubernetes/kinds.js';
import type { ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { kafkaSelector } from '../../src/kafka/naming/identity.js';
import { resourceNamed } from '../cluster/named-resource.js';
import { listed, listedIfAllowed, notFoundError } from '../status/listed-resources.js';

/** A KafkaCluster with what belongs to it. */
export interface FoundKafka {
  readonly kafka: KafkaClusterResource;
  readonly pods: readonly LivePod[];
  readonly topics: readonly KafkaTopicResource[];
  readonly users: readonly KafkaUserResource[];
  /** Why some kinds are not shown. */
  readonly notes: readonly string[];
}

/** The KafkaCluster of this name. @throws {Error} if it does not exist */
export async function kafkaClusterNamed(cluster: Cluster, name: ObjectName): Promise<KafkaClusterResource> {
  const found = await resourceNamed(kafkaClusterKind, name, cluster);
  if (!found) throw notFoundError(kafkaClusterKind.kind, name);
  return found as unknown as KafkaClusterResource;
}

/**
 * A KafkaCluster with its Pods, KafkaTopics and KafkaUsers. A kind that the user may not list is left out with a note.
 * @throws {Error} if the KafkaCluster does not exist
 */
export async function kafkaResources(cluster: Cluster, name: ObjectName): Promise<FoundKafka> {
  const { namespace } = name;
  const notes: string[] = [];
  const labelSelector = Object.entries(kafkaSelector(name.name))
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const [kafka, pods, topics, users] = await Promise.all([
    kafkaClusterNamed(cluster, name),
    listedIfAllowed<LivePod>(cluster, Pod, { namespace, labelSelector, notes }),
    listedIfAllowed<KafkaTopicResource>(cluster, kafkaTopicKind, { namespace, notes }),
    listedIfAllowed<KafkaUserResource>(cluster, kafkaUserKind, { namespace, notes }),
  ]);
  return { kafka, pods, topics: topics.filter(isOf(name)), users: users.filter(isOf(name)), notes: notes.toSorted() };
}

/** The KafkaTopics of a KafkaCluster. @throws {Error} if it does not exist, or if they cannot be listed */
export async function kafkaTopics(cluster: Cluster, name: ObjectName): Promise<readonly KafkaTopicResource[]> {
  const { namespace } = name;
  const [topics] = await Promise.all([
    listed<KafkaTopicResource>(cluster, kafkaTopicKind, { namespace }),
    kafkaClusterNamed(cluster, name),
  ]);
  return topics.filter(isOf(name));
}

function isOf({ name }: ObjectName) {
  return ({ spec }: { readonly spec: { readonly cluster: { readonly name: string } } }) => spec.cluster.name === name;
}
