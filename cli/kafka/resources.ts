import {
  type KafkaClusterResource,
  type KafkaTopicResource,
  kafkaClusterKind,
  kafkaTopicKind,
} from '../../imports/index.js';
import type { ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { resourceNamed } from '../cluster/named-resource.js';
import { listed, notFoundError } from '../status/listed-resources.js';

/** The KafkaCluster of this name. @throws {Error} if it does not exist */
export async function kafkaClusterNamed(cluster: Cluster, name: ObjectName): Promise<KafkaClusterResource> {
  const found = await resourceNamed(kafkaClusterKind, name, cluster);
  if (!found) throw notFoundError(kafkaClusterKind.kind, name);
  return found as unknown as KafkaClusterResource;
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
