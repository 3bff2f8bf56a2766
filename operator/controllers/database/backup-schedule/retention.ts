import type { DatabaseBackupResource, DatabaseResource } from '../../../../imports/index.js';
import type { LiveObject } from '../../../runtime/index.js';
import { isComplete } from '../deletion/departure.js';

/**
 * True for objects that outlive the Database or its `spec.backup`: the archive and the DatabaseBackups in it, unless
 * the Database is deleted with `deletionPolicy: Delete`. Expired and failed backups are not retained.
 */
export function retains(object: LiveObject, { metadata, spec }: DatabaseResource): boolean {
  if (metadata.deletionTimestamp && spec.deletionPolicy === 'Delete') return false;
  if (object.kind === 'PersistentVolumeClaim') return true;
  return object.kind === 'DatabaseBackup' && isComplete(object as DatabaseBackupResource);
}
