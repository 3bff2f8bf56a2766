import { type DatabaseResource, databaseBackupKind, databaseKind } from '../../../imports/index.js';
import { podSelector } from '../../../src/index.js';
import {
  ConfigMap,
  type Found,
  Node,
  optional,
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
import { nodeState } from './instances/node-state.js';

/**
 * What a Database becomes. Nothing goes by anybody's word but the controller's: the last backup takes instances that run,
 * and those take their rights, their names and their secrets.
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

/** What claims of Databases have in common. */
const ofDatabases = { labels: { 'app.kubernetes.io/name': 'postgresql' } };

/** What it looks at. */
export const reads = (refer: Refer<DatabaseResource>) => ({
  /** Where instances are. An operator that is limited to some namespaces may see none of them. */
  nodes: refer.matchingLabels(optional(Node), () => ({ labels: {} }), nodeState),
  /** Volumes of its name, those too that an earlier Database has left. */
  claims: refer.matchingLabels(PersistentVolumeClaim, ({ metadata: { name } }) => ({ labels: podSelector(name) })),
  /** Databases whose backups it may begin with: a DatabaseBackup says whose it is, which is known once it is read. */
  sources: refer.matchingLabels(databaseKind, ({ spec }) => spec.bootstrap.restore && { labels: {} }),
  backup: refer.named(databaseBackupKind, ({ spec }) => spec.bootstrap.restore?.from.backup),
  /** Volumes of archives, those too whose Database is gone: a DatabaseBackup says which it is in. */
  archives: refer.matchingLabels(PersistentVolumeClaim, ({ spec }) =>
    spec.bootstrap.restore?.from.backup === undefined ? undefined : ofDatabases,
  ),
});

/** What its functions see of that. */
export type DatabaseReads = Found<ReturnType<typeof reads>>;
