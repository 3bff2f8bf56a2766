import { type DatabaseBackupResource, type DatabaseResource, databaseBackupKind } from '../../../../imports/index.js';
import {
  ConfigMap,
  type LiveObject,
  Namespace,
  optional,
  PersistentVolumeClaim,
  Pod,
  type Read,
  type Refer,
  withoutOwnerReference,
} from '../../../runtime/index.js';

/** Owned kinds. They have no owner references, so garbage collection cannot delete them before the final backup. */
export const owns = [
  withoutOwnerReference(ConfigMap),
  withoutOwnerReference(PersistentVolumeClaim),
  withoutOwnerReference(Pod),
  withoutOwnerReference(databaseBackupKind),
] as const;

/** Objects of the database controller that the backups controller reads. */
export const watchesSiblings = [Pod, PersistentVolumeClaim] as const;

/** Objects that the controller reads but does not own. */
export const reads = ({ matchingLabels, named }: Refer<DatabaseResource>) => ({
  /** All backups of the namespace, because users create some too. */
  backups: matchingLabels(databaseBackupKind, () => ({ labels: {} })),
  /**
   * Whether the namespace is being deleted. An operator limited to some namespaces may have no permission to read it.
   */
  isNamespaceEnding: named(optional(Namespace), ({ metadata }) => metadata.namespace, isBeingDeleted),
});

const isBeingDeleted = ({ metadata }: LiveObject): boolean => metadata.deletionTimestamp !== undefined;

/** The objects that `reads` finds. */
export type BackupScheduleReads = {
  readonly backups: Read<readonly DatabaseBackupResource[]>;
  readonly isNamespaceEnding: Read<boolean | undefined>;
};
