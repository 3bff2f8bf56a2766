import { secretRotationKind } from '../../../imports/index.js';
import { workloads } from '../../consumers/workloads.js';
import { kafkaUsers } from '../../kafka/users.js';
import { defineController } from '../../runtime/index.js';
import { assess } from './assess.js';
import { conditions, rejections } from './conditions.js';
import { owns, reads } from './declarations.js';
import { desire } from './desire.js';
import { metrics } from './metrics.js';
import { polls } from './polls.js';
import { logins } from './ports/logins.js';
import { statusTables } from './status-tables.js';

/** Reconciles `SecretRotation` resources: their credentials, their consumers, and the end of earlier logins. */
export const secretRotation = defineController({
  kind: secretRotationKind,
  owns,
  reads,
  polls,
  calls: [logins, kafkaUsers, workloads],
  conditions,
  rejections,
  // The earlier login works for hours, while nothing is wrong.
  informationalConditions: ['Retired'],
  optionalConditions: ['Adopted'],
  metrics,
  tables: statusTables,
  // The users of Kafka are removed with the rotation.
  finalizes: true,
  desire,
  assess,
});
