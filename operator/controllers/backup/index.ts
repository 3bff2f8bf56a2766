import { databaseBackupKind } from '../../../imports/index.js';
import { defineController } from '../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { desire } from './desire.js';
import { isInArchive, owns, reads } from './situation.js';

/** Runs `DatabaseBackup` resources: makes them, verifies them, and takes them out of the archive when they are deleted. */
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
