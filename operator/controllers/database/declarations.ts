import { type DatabaseResource, databaseBackupKind, databaseKind } from '../../../imports/index.js';
import { podSelector } from '../../../src/index.js';
import { readNodes } from '../../members/index.js';
import {
  ConfigMap,
  type Found,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  type Refer,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  withoutOwnerReference,
} from '../../runtime/index.js';
import { archivesOf, claimantOf } from './archive/archive-claims.js';

/**
 * Kinds that a Database owns. They have no owner references, so only the controller deletes them: the final backup
 * needs running instances, and the instances need their permissions, names and Secrets.
 */
export const owns = [
  withoutOwnerReference(ServiceAccount),
  withoutOwnerReference(Role),
  withoutOwnerReference(RoleBinding),
  withoutOwnerReference(ConfigMap),
  withoutOwnerReference(Secret),
  withoutOwnerReference(PersistentVolumeClaim),
  withoutOwnerReference(Service),
  withoutOwnerReference(Pod),
  withoutOwnerReference(PodDisruptionBudget),
] as const;

/** Labels of the PVCs of all archives. The label is the runtime's, and stays when a Database leaves its archive. */
const ofArchives = { labels: { 'reconstruct.dev/controller': 'backups' } };

/** Objects that the controller reads but does not own. */
export const reads = (refer: Refer<DatabaseResource>) => ({
  nodes: readNodes(refer),
  /** PVCs with the name of the Database, including those that an earlier Database left. */
  claims: refer.matchingLabels(PersistentVolumeClaim, ({ metadata: { name } }) => ({ labels: podSelector(name) })),
  /**
   * Databases from whose backups this one may start. A DatabaseBackup names its Database only once it has been read.
   */
  sources: refer.matchingLabels(databaseKind, ({ spec }) => spec.bootstrap.restore && { labels: {} }),
  backup: refer.named(databaseBackupKind, ({ spec }) => spec.bootstrap.restore?.from.backup),
  /** PVCs of archives, including those of deleted Databases. A DatabaseBackup names the PVC of its archive. */
  archives: refer.matchingLabels(PersistentVolumeClaim, ({ spec }) =>
    spec.bootstrap.restore?.from.backup === undefined ? undefined : ofArchives,
  ),
  /** The Databases, in all namespaces, that archive to the same place in a bucket. */
  archiveClaimants: refer.byIndex(databaseKind, { indexFunc: archivesOf, values: archivesOf }, claimantOf),
});

/** The objects that `reads` finds. */
export type DatabaseReads = Found<ReturnType<typeof reads>>;
