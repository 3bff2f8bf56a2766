import { databaseBackupKind } from '../../../imports/index.js';
import { defineController } from '../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { owns, reads } from './declarations.js';
import { desire } from './desire.js';
import { statusTables } from './status-tables.js';
import { isInArchive } from './view.js';

/** Reconciles `DatabaseBackup` resources: creates and verifies backups, and removes deleted ones from the archive. */
export const databaseBackup = defineController({
  kind: databaseBackupKind,
  owns,
  reads,
  finalizes: { external: isInArchive },
  conditions,
  informationalConditions: ['Verified', 'Closed'],
  tables: statusTables,
  desire,
  assess,
});
