import type { KafkaAccess } from '../../../kafka/access.js';
import type { Port } from '../../../runtime/index.js';

/** Asks for one topic. Questions of the same cluster are collected into one request to its brokers. */
export interface TopicQuestion extends KafkaAccess {
  readonly topic: string;
}

/** A topic in Kafka. */
export interface TopicState {
  readonly id: string;
  readonly partitions: number;
  /** The lowest number of replicas of a partition. */
  readonly replication: number;
  /** Configuration that is set for the topic itself. */
  readonly config: Readonly<Record<string, string>>;
  readonly underReplicated: number;
}

/** `topic` is absent if the cluster has none of this name. */
export interface TopicAnswer {
  readonly topic?: TopicState;
}

/** Changes one topic. */
export type TopicRequest = TopicQuestion &
  (
    | {
        readonly act: 'create';
        readonly partitions: number;
        readonly replication: number;
        readonly config: Readonly<Record<string, string>>;
      }
    | { readonly act: 'addPartitions'; readonly partitions: number }
    | {
        readonly act: 'configure';
        readonly set: Readonly<Record<string, string>>;
        readonly remove: readonly string[];
      }
    /** Reassigns replicas so that each partition has this many. */
    | { readonly act: 'replicate'; readonly replication: number }
    /** Deletes the topic with this id, and no other of the same name. */
    | { readonly act: 'delete'; readonly id: string }
  );

/** The topics of Kafka clusters. */
export const kafkaTopics: Port<TopicQuestion, TopicAnswer, TopicRequest> = {
  name: 'reconstruct/kafka-topics',
  formerName: 'kafka-topics',
  secrets: 'any',
  visibleWithin: 10_000,
};
