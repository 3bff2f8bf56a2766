import { type KafkaTopicResource, kafkaClusterKind, kafkaTopicKind } from '../../../../imports/index.js';
import { accessOf, clusterPart } from '../../../kafka/cluster-part.js';
import {
  type Answers,
  type Facts,
  type Found,
  olderFirst,
  type PollBuilder,
  type PollRequest,
  type Refer,
  type StableFacts,
} from '../../../runtime/index.js';
import { kafkaTopics, type TopicQuestion, type TopicState } from '../ports/topics.js';
import { type TopicStep, topicStep } from './plan.js';

/** Objects that the controller reads but does not own. */
export const reads = (refer: Refer<KafkaTopicResource>) => ({
  cluster: refer.named(kafkaClusterKind, ({ spec }) => spec.cluster.name, clusterPart),
  /** The KafkaTopics that name the same topic. */
  claimants: refer.byIndex(kafkaTopicKind, { indexFunc: topicIn, values: topicIn }, ({ metadata }) => ({
    name: metadata.name,
    creationTimestamp: metadata.creationTimestamp ?? '',
  })),
});

function topicIn({ metadata, spec }: Pick<KafkaTopicResource, 'metadata' | 'spec'>): readonly string[] {
  return [`${metadata.namespace}/${spec.cluster.name} ${topicNameOf({ metadata, spec })}`];
}

/** The name of a topic in Kafka. */
export function topicNameOf({ metadata, spec }: Pick<KafkaTopicResource, 'metadata' | 'spec'>): string {
  return spec.topicName ?? metadata.name;
}

type Reads = ReturnType<typeof reads>;
type StableTopic = Pick<StableFacts<KafkaTopicResource>, 'resource'> & { readonly reads: Found<Reads> };
/** The input of `desire` and `assess`. */
export type TopicFacts = StableTopic &
  Pick<Facts<KafkaTopicResource>, 'now'> & { readonly polled: Answers<ReturnType<typeof polls>> };

/** The external source that a KafkaTopic polls. */
export const polls = (ask: PollBuilder<KafkaTopicResource, never, Reads>) => ({ topic: ask(kafkaTopics, topicAsked) });

function topicAsked({ resource, reads: found }: StableTopic): PollRequest<TopicQuestion> | undefined {
  const access = accessOf(found.cluster);
  if (!access || holderOf(resource, found) !== undefined) return undefined;
  return { question: { ...access, topic: topicNameOf(resource) }, interval: 30_000, timeout: 20_000 };
}

/** The name of another KafkaTopic that has the topic: the older one. */
export function holderOf(resource: KafkaTopicResource, { claimants }: Found<Reads>): string | undefined {
  const { name, creationTimestamp = '' } = resource.metadata;
  const [first] = [...claimants.filter((one) => one.name !== name), { name, creationTimestamp }].toSorted(olderFirst);
  return first?.name === name ? undefined : first?.name;
}

/** The answer about the topic. Undefined while it is not known whether it exists. */
export function foundIn({ polled }: TopicFacts): { readonly topic: TopicState | undefined } | undefined {
  return polled.topic?.known ? { topic: polled.topic.value.topic } : undefined;
}

/** How many brokers a new topic waits for, in a new cluster that will have enough. Kafka would refuse the topic until then. */
export function brokersAwaited({ resource: { spec }, reads: { cluster } }: StableTopic) {
  const { running, wanted } = cluster?.forming ?? { running: 0, wanted: 0 };
  const isAwaited = running < spec.replication && spec.replication <= wanted;
  return isAwaited ? { running, needed: spec.replication } : undefined;
}

/** The next step. Undefined while the topic is not known. */
export function stepOf(facts: TopicFacts): TopicStep | undefined {
  const found = foundIn(facts);
  return found && topicStep(facts.resource, found.topic);
}
