import type { KafkaTopicResource } from '../../../../imports/index.js';
import { type Facts, olderFirst, type Polled } from '../../../runtime/index.js';
import type { TopicAnswer } from '../ports/topics.js';
import type { TopicReads } from './declarations.js';

/** The part of the input that does not change with time. */
export interface StableView extends Pick<Facts<KafkaTopicResource>, 'resource'> {
  readonly reads: TopicReads;
}

/** The input of `desire` and `assess`. */
export interface TopicView extends StableView {
  /** Undefined for a source that is not asked. */
  readonly polled: { readonly topic: Polled<TopicAnswer> | undefined };
}

/** The name of another KafkaTopic that has the topic: the older one. */
export function holderOf(resource: KafkaTopicResource, { claimants }: TopicReads): string | undefined {
  const { name, creationTimestamp = '' } = resource.metadata;
  const [first] = [...claimants.filter((one) => one.name !== name), { name, creationTimestamp }].toSorted(olderFirst);
  return first?.name === name ? undefined : first?.name;
}

/** How many brokers a new topic waits for, in a new cluster that will have enough. Kafka would refuse the topic until then. */
export function brokersAwaited({ resource: { spec }, reads: { cluster } }: StableView) {
  const { running, wanted } = cluster?.forming ?? { running: 0, wanted: 0 };
  const isAwaited = running < spec.replication && spec.replication <= wanted;
  return isAwaited ? { running, needed: spec.replication } : undefined;
}
