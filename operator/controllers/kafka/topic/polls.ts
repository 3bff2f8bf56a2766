import type { KafkaTopicResource } from '../../../../imports/index.js';
import { accessOf, askedEvery } from '../../../kafka/cluster-part.js';
import { topicNameOf } from '../../../kafka/topic-name.js';
import type { PollBuilder, PollRequest } from '../../../runtime/index.js';
import { kafkaTopics, type TopicQuestion } from '../ports/topics.js';
import type { reads } from './declarations.js';
import { holderOf, type StableView } from './view.js';

/** The external source that a KafkaTopic polls. */
export const polls = (ask: PollBuilder<KafkaTopicResource, never, ReturnType<typeof reads>>) => ({
  topic: ask(kafkaTopics, topicAsked),
});

function topicAsked({ resource, reads: found }: StableView): PollRequest<TopicQuestion> | undefined {
  const { cluster } = found;
  const access = accessOf(cluster);
  if (!cluster || !access || holderOf(resource, found) !== undefined) return undefined;
  const question = { ...access, topic: topicNameOf(resource) };
  return { question, interval: askedEvery(cluster), timeout: 20_000 };
}
