import { databaseKind } from '../../../../imports/index.js';
import { defineController } from '../../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { owns, reads, watchesSiblings } from './declarations.js';
import { desire } from './desire.js';
import { metrics } from './metrics.js';
import { retains } from './retention.js';
import { statusTables } from './status-tables.js';

/** Reconciles the backups of `Database` resources: scheduled backups, verification, retention and the final backup. */
export const backups = defineController({
  kind: databaseKind,
  name: 'backups',
  secondaryFor: ({ spec }) => spec.backup !== undefined,
  owns,
  watchesSiblings,
  reads,
  finalizes: true,
  retains,
  conditions,
  metrics,
  tables: statusTables,
  statusFields: ['backup', 'snapshot'],
  desire,
  assess,
});
