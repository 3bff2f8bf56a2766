import { type DatabaseBackupResource, databaseBackupKind, databaseKind } from '../../../imports/index.js';
import { type Found, Pod, type Refer, withoutOwnerReference } from '../../runtime/index.js';

/** Kinds that a DatabaseBackup owns. */
export const owns = [withoutOwnerReference(Pod)] as const;

/** The Database, and all backups of the namespace, because the backups of a Database run one at a time. */
export const reads = ({ named, matchingLabels }: Refer<DatabaseBackupResource>) => ({
  database: named(databaseKind, ({ spec }) => spec.database),
  siblings: matchingLabels(databaseBackupKind, () => ({ labels: {} })),
});

/** The objects that `reads` finds. */
export type BackupReads = Found<ReturnType<typeof reads>>;
