import type { KafkaTopicResource } from '../../../../imports/index.js';
import { topicNameOf } from '../../../kafka/topic-name.js';
import type { TopicState } from '../ports/topics.js';
import { brokersAwaited, holderOf, type TopicView } from './view.js';

/** The observed and desired state of a KafkaTopic. */
export interface Situation {
  readonly resource: KafkaTopicResource;
  /** The name of the topic in Kafka. */
  readonly name: string;
  /** The name of an older KafkaTopic that has the topic. Absent if there is none. */
  readonly holder?: string | undefined;
  /** What Kafka has of this name. Absent while it is not known. */
  readonly found?: { readonly topic: TopicState | undefined } | undefined;
  /** The brokers for which a new topic waits. Absent if it waits for none. */
  readonly awaited?: { readonly running: number; readonly needed: number } | undefined;
}

/** Derives the situation from what is observed. */
export function situationOf(view: TopicView): Situation {
  const { resource, reads, polled } = view;
  return {
    resource,
    name: topicNameOf(resource),
    holder: holderOf(resource, reads),
    found: polled.topic?.known ? { topic: polled.topic.value.topic } : undefined,
    awaited: brokersAwaited(view),
  };
}
