import { type DatabaseResource, databaseBackupKind, databaseKind } from '../../../imports/index.js';
import { podSelector } from '../../../src/index.js';
import {
  ConfigMap,
  type Found,
  Node,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  type Refer,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  untied,
} from '../../runtime/index.js';

/** What a Database becomes. What holds data, and what opens it, goes by nobody's word but the controller's. */
export const owns = [
  ServiceAccount,
  Role,
  RoleBinding,
  ConfigMap,
  untied(Secret),
  untied(PersistentVolumeClaim),
  Service,
  untied(Pod),
  PodDisruptionBudget,
] as const;

/** What it looks at. */
export const reads = (refer: Refer<DatabaseResource>) => ({
  /** Where they are, and which of them take no new pods. */
  nodes: refer.labelled(Node, () => ({ labels: {} })),
  /** Volumes of its name, those too that an earlier Database has left. */
  claims: refer.labelled(PersistentVolumeClaim, ({ metadata: { name } }) => ({ labels: podSelector(name) })),
  /** Databases whose backups it may begin with: a DatabaseBackup says whose it is, which is known once it is read. */
  sources: refer.labelled(databaseKind, ({ spec }) => spec.bootstrap.restore && { labels: {} }),
  backup: refer.named(databaseBackupKind, ({ spec }) => spec.bootstrap.restore?.from.backup),
});

/** What its functions see of that. */
export type DatabaseReads = Found<ReturnType<typeof reads>>;
