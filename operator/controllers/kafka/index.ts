import type { Controller } from '../../runtime/index.js';
import { kafkaCluster } from './cluster/index.js';
import { kafkaTopic } from './topic/index.js';
import { kafkaUser } from './user/index.js';

/** Controllers of `KafkaCluster`, `KafkaTopic` and `KafkaUser` resources. */
export const kafkaControllers: readonly Controller[] = [kafkaCluster, kafkaTopic, kafkaUser];
