import type { DatabaseSpec } from '../../../imports/index.js';
import type { BackupSource } from '../config/pgbackrest-config.js';

/** The settings of the Pod of an instance. */
export interface InstancePod {
  /** The name of the Pod and of its PersistentVolumeClaim, such as `orders-2`. */
  readonly instance: string;
  readonly image: string;
  readonly spec: DatabaseSpec;
  /** The Database whose backups it restores at its start. @default - none: it starts empty */
  readonly restored?: BackupSource | undefined;
}

/** The part of a spec that concerns the Pods of a Database and of its backups. */
export type Templated = Pick<DatabaseSpec, 'podTemplate' | 'backup'>;
