import { kafkaUserKind } from '../../../../imports/index.js';
import { kafkaUsers } from '../../../kafka/users.js';
import { defineController } from '../../../runtime/index.js';
import { assess } from './assess.js';
import { conditions, rejections } from './conditions.js';
import { owns, reads } from './declarations.js';
import { desire } from './desire.js';
import { polls } from './polls.js';
import { statusTables } from './status-tables.js';

/** Reconciles `KafkaUser` resources. */
export const kafkaUser = defineController({
  kind: kafkaUserKind,
  owns,
  reads,
  polls,
  calls: [kafkaUsers],
  conditions,
  rejections,
  finalizes: true,
  tables: statusTables,
  desire,
  assess,
});
