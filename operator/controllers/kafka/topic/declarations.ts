import { type KafkaTopicResource, kafkaClusterKind, kafkaTopicKind } from '../../../../imports/index.js';
import { kafkaSelector } from '../../../../src/index.js';
import { clusterPart, clusterVolume, isBeingDeleted } from '../../../kafka/cluster-part.js';
import { topicNameOf } from '../../../kafka/topic-name.js';
import { type Found, Namespace, optional, PersistentVolumeClaim, type Refer } from '../../../runtime/index.js';

/** Objects that the controller reads but does not own. */
export const reads = (refer: Refer<KafkaTopicResource>) => ({
  cluster: refer.named(kafkaClusterKind, ({ spec }) => spec.cluster.name, clusterPart),
  /** Its volumes, which stay after it with `Retain`. */
  volumes: refer.matchingLabels(
    PersistentVolumeClaim,
    ({ spec }) => ({ labels: kafkaSelector(spec.cluster.name) }),
    clusterVolume,
  ),
  /** An operator that is limited to some namespaces may have no permission to read it. */
  isNamespaceEnding: refer.named(optional(Namespace), ({ metadata }) => metadata.namespace, isBeingDeleted),
  /** The KafkaTopics that name the same topic. */
  claimants: refer.byIndex(kafkaTopicKind, { indexFunc: topicIn, values: topicIn }, ({ metadata }) => ({
    name: metadata.name,
    creationTimestamp: metadata.creationTimestamp ?? '',
  })),
});

function topicIn({ metadata, spec }: Pick<KafkaTopicResource, 'metadata' | 'spec'>): readonly string[] {
  return [`${metadata.namespace}/${spec.cluster.name} ${topicNameOf({ metadata, spec })}`];
}

/** The objects that `reads` finds. */
export type TopicReads = Found<ReturnType<typeof reads>>;
