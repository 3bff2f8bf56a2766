import type { Histories } from '../plan-history.js';
import { combinedKafkaHistory, kafkaHistory } from './kafka-history.js';

/** Histories of the plan of a KafkaCluster. */
export const histories = { kafka: kafkaHistory, 'combined-kafka': combinedKafkaHistory } satisfies Histories;
