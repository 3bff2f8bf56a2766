import { trainingJobKind } from '../../../imports/index.js';
import { defineController, PersistentVolumeClaim } from '../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { expiresAt } from './deadlines.js';
import { owns, reads } from './declarations.js';
import { desire } from './desire.js';
import { metrics } from './metrics.js';
import { polls } from './polls.js';
import { coordinator } from './ports/coordinator.js';
import { statusTables } from './status-tables.js';

/** Reconciles `TrainingJob` resources. */
export const trainingJob = defineController({
  kind: trainingJobKind,
  owns,
  reads,
  polls,
  optionalPolls: 'all',
  calls: [coordinator],
  conditions,
  metrics,
  tables: statusTables,
  finalizes: true,
  expiresAt,
  retains: ({ kind }, { spec }) => kind === PersistentVolumeClaim.kind && spec.checkpoint?.deletionPolicy !== 'Delete',
  desire,
  assess,
});
