import { databaseBackupKind } from '../../../imports/index.js';
import { defineController } from '../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { desire } from './desire.js';
import { isInArchive, owns, reads } from './situation.js';

/** Reconciles `DatabaseBackup` resources: creates and verifies backups, and removes deleted ones from the archive. */
export const databaseBackup = defineController({
  kind: databaseBackupKind,
  owns,
  reads,
  finalizes: { external: isInArchive },
  conditions,
  informationalConditions: ['Verified', 'Closed'],
  desire,
  assess,
});
