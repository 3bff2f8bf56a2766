import type { DatabaseBackupResource, DatabaseResource } from '../../../../imports/index.js';
import type { LiveObject } from '../../../runtime/index.js';
import { isComplete } from '../deletion/departure.js';

/**
 * Of what backups took and is wanted no more, what stays: the archive and what tells of it, unless the Database is deleted
 * with all that it has. Backups that have left the archive, or were never in it, tell of nothing.
 */
export function retains(object: LiveObject, { metadata, spec }: DatabaseResource): boolean {
  if (metadata.deletionTimestamp && spec.deletionPolicy === 'Delete') return false;
  if (object.kind === 'PersistentVolumeClaim') return true;
  return object.kind === 'DatabaseBackup' && isComplete(object as DatabaseBackupResource);
}
