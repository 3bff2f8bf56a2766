import { databaseKind } from '../../../../imports/index.js';
import { defineController } from '../../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { desire } from './desire.js';
import { figures } from './metrics.js';
import { leaves } from './retention.js';
import { owns, reads, sees } from './situation.js';

/** Keeps the backups of `Database` resources: makes them by schedule, has them verified, and makes the last one. */
export const backups = defineController({
  kind: databaseKind,
  name: 'backups',
  concerns: ({ spec }) => spec.backup !== undefined,
  owns,
  sees,
  reads,
  finalizes: true,
  leaves,
  conditions,
  figures,
  states: ['backup', 'snapshot'],
  desire,
  assess,
});
