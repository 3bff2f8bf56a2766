import type { KafkaClusterResource, KafkaTopicResource } from '../../../../../imports/index.js';
import { topicNameOf } from '../../../../kafka/topic-name.js';
import { conditionOf, olderFirst } from '../../../../runtime/index.js';
import type { ClusterAnswer, MarkedTopic } from '../../ports/cluster.js';
import { namesIn } from './names-in.js';

/** Annotation with the topics that may stay although no KafkaTopic has them, such as `orders,shop.returns`. */
export const allowTopicsAnnotation = 'reconstruct.dev/allow-topics';

/** The most topics of a request that get one mark. */
const most = 100;

/** What a KafkaTopic means for the mark of its topic. */
export interface TopicClaim {
  readonly name: string;
  readonly creationTimestamp: string;
  /** The name of the topic in Kafka. */
  readonly topic: string;
  /**
   * - `marked`: the topic would be deleted with the KafkaTopic.
   * - `unmarked`: it would stay.
   * - `either`: the KafkaTopic is new or is being deleted. A mark from earlier stays until it is known what becomes of the topic.
   */
  readonly wants: 'marked' | 'unmarked' | 'either';
}

/** Topics that a KafkaTopic would have deleted, and that no KafkaTopic has any more, by name. */
export interface UnclaimedTopics {
  readonly unclaimed: readonly string[];
  /** The annotation allows them. */
  readonly allowed: readonly string[];
  /** The next change of marks. Undefined if there is none. */
  readonly request?: {
    readonly act: 'markTopics';
    readonly claimed: readonly string[];
    readonly released: readonly string[];
    readonly unclaimed: readonly string[];
  };
}

/** Reads the claim of a KafkaTopic. */
export function topicClaim(resource: KafkaTopicResource): TopicClaim {
  const { name, creationTimestamp = '' } = resource.metadata;
  return { name, creationTimestamp, topic: topicNameOf(resource), wants: wantsOf(resource) };
}

function wantsOf(resource: KafkaTopicResource): TopicClaim['wants'] {
  const { metadata, spec, status } = resource;
  if (spec.deletionPolicy === 'Retain') return 'unmarked';
  // Without an ID, the topic may be that of another user, and the KafkaTopic may be refused.
  if (metadata.deletionTimestamp !== undefined || status?.topicId === undefined) return 'either';
  // A topic of this name that is there now was created by another user, and is never deleted with the KafkaTopic.
  return conditionOf(resource, 'Configured')?.reason === 'Lost' ? 'unmarked' : 'marked';
}

/**
 * The topics that a cluster brought back on its volumes, after their KafkaTopics were released or deleted without it. A topic
 * is reported when the brokers have confirmed that it is there: the answer may be from before it was deleted with its
 * KafkaTopic.
 */
export function unclaimedTopics(
  { metadata }: Pick<KafkaClusterResource, 'metadata'>,
  { topics }: Pick<ClusterAnswer, 'topics'>,
  claims: readonly TopicClaim[],
): UnclaimedTopics {
  if (!topics) return { unclaimed: [], allowed: [] };
  // The oldest KafkaTopic of a topic has it.
  const holders = new Map(
    claims
      .toSorted(olderFirst)
      .toReversed()
      .map((claim) => [claim.topic, claim.wants]),
  );
  const found = new Map(topics.map((one) => [one.topic, one]));
  const claimed = [...holders].flatMap(([topic, wants]) => {
    const isMarked = found.get(topic)?.isUnclaimed === false;
    return wants === 'marked' && !isMarked ? [topic] : [];
  });
  const released = topics.filter(({ topic }) => holders.get(topic) === 'unmarked');
  const left = topics.filter(({ topic }) => !holders.has(topic));
  const isConfirmed = ({ exists, isUnclaimed }: MarkedTopic) => exists && isUnclaimed;
  const confirmed = left.filter(isConfirmed).map(({ topic }) => topic);
  const named = new Set(namesIn({ metadata }, allowTopicsAnnotation));
  const request = requestOf({
    claimed: claimed.toSorted(),
    released: released.map(({ topic }) => topic),
    unclaimed: left.filter((one) => !isConfirmed(one)).map(({ topic }) => topic),
  });
  return {
    unclaimed: confirmed.filter((topic) => !named.has(topic)),
    allowed: confirmed.filter((topic) => named.has(topic)),
    ...(request && { request }),
  };
}

function requestOf(changes: Omit<NonNullable<UnclaimedTopics['request']>, 'act'>): UnclaimedTopics['request'] {
  const { claimed, released, unclaimed } = changes;
  if (claimed.length + released.length + unclaimed.length === 0) return undefined;
  const few = (topics: readonly string[]) => topics.slice(0, most);
  return { act: 'markTopics', claimed: few(claimed), released: few(released), unclaimed: few(unclaimed) };
}
