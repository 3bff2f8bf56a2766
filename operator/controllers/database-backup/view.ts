import type { DatabaseBackupResource } from '../../../imports/index.js';
import type { Facts, Owned } from '../../runtime/index.js';
import type { BackupReads, owns } from './declarations.js';

/** The input of `desire` and `assess`. */
export interface BackupView extends Pick<Facts<DatabaseBackupResource>, 'resource' | 'now'> {
  readonly owned: Pick<Owned<(typeof owns)[number]>, 'of'>;
  readonly reads: BackupReads;
}

/** True if the status of the backup shows that it is in the archive. */
export function isInArchive({ status }: DatabaseBackupResource): boolean {
  return status?.label !== undefined && status.state !== 'Expired';
}

/** True if the backup is completed, failed or being deleted. */
export function isOver({ status, metadata }: DatabaseBackupResource): boolean {
  return status?.label !== undefined || status?.state === 'Failed' || metadata.deletionTimestamp !== undefined;
}
