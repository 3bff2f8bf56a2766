import type { KafkaAccess } from '../../../kafka/access.js';
import type { Port } from '../../../runtime/index.js';

/** Asks how far consumer groups are behind. */
export interface ConsumersQuestion extends KafkaAccess {
  /** The most pairs of a group and a topic in the answer. */
  readonly most: number;
}

/** How far a consumer group is behind in a topic. */
export interface GroupLag {
  readonly group: string;
  readonly topic: string;
  /**
   * Records after the committed offsets, of all partitions for which the group has committed one. Partitions without a
   * leader do not count.
   */
  readonly lag: number;
}

/** The pairs that are the furthest behind, sorted by group and topic. */
export interface ConsumersAnswer {
  readonly lags: readonly GroupLag[];
  /** Pairs that the answer leaves out. */
  readonly omitted: number;
}

/** The consumer groups of Kafka clusters. It costs more requests than the state of a cluster, so it is asked less often. */
export const kafkaConsumers: Port<ConsumersQuestion, ConsumersAnswer> = {
  name: 'reconstruct/kafka-consumers',
  secrets: 'any',
};
