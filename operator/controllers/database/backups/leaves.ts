import type { DatabaseResource } from '../../../../imports/index.js';
import type { LiveObject } from '../../../runtime/index.js';

/**
 * Of what backups took and is wanted no more, what stays: the archive and what tells of it, unless the Database is deleted
 * with all that it has. Backups that have left the archive, or were never in it, tell of nothing.
 */
export function leaves(object: LiveObject, { metadata, spec }: DatabaseResource): boolean {
  if (metadata.deletionTimestamp && spec.deletionPolicy === 'Delete') return false;
  if (object.kind === 'PersistentVolumeClaim') return true;
  return object.kind === 'DatabaseBackup' && hasLabel(object);
}

function hasLabel(object: LiveObject): boolean {
  const { status } = object as LiveObject & { readonly status?: { readonly label?: string; readonly state?: string } };
  return status?.label !== undefined && status.state !== 'Expired';
}
