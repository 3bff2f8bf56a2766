import { kafkaTopicKind } from '../../../../imports/index.js';
import { defineController } from '../../../runtime/index.js';
import { kafkaTopics } from '../ports/topics.js';
import { assess } from './assess.js';
import { conditions, rejections } from './conditions.js';
import { reads } from './declarations.js';
import { desire } from './desire.js';
import { polls } from './polls.js';
import { statusTables } from './status-tables.js';

/** Reconciles `KafkaTopic` resources. */
export const kafkaTopic = defineController({
  kind: kafkaTopicKind,
  owns: [],
  reads,
  polls,
  calls: [kafkaTopics],
  conditions,
  rejections,
  finalizes: true,
  tables: statusTables,
  desire,
  assess,
});
