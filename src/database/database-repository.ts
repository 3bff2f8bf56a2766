import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { DatabaseSpec } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import { wholeQuantity } from '../manifest/quantity.js';
import { claim } from '../workload/claim.js';
import { metadataOf } from '../workload/identity.js';
import { repositoryConfig, restoreConfig } from './config/pgbackrest-config.js';
import { type DatabaseRef, databaseIdentity } from './naming/identity.js';
import { objectNames } from './naming/object-names.js';
import type { Templated } from './pods/instance.js';
import { repositoryPod } from './pods/repository-pod.js';

/** Props of a {@link DatabaseRepository}. */
export interface DatabaseRepositoryProps extends DatabaseRef {
  readonly spec: Templated & Pick<DatabaseSpec, 'storage'> & { readonly backup: NonNullable<DatabaseSpec['backup']> };
  readonly image: string;
  /** The names of the Pods to back up. */
  readonly instances: readonly string[];
  /** The size to request for the volume. @default - the size in the spec */
  readonly volumeSize?: (size: number | string) => number | string;
}

/**
 * The repository of the backups of a Database. A bucket needs only a configuration. A volume also needs a Pod that
 * serves it.
 */
export class DatabaseRepository extends Construct {
  /** `pgbackrest.conf` for the Pods that create backups, and `restore.conf` for those that verify one by a restore. */
  readonly configMap: ApiObject;
  /** Undefined without `target.volume`, like the next field. */
  readonly claim: ApiObject | undefined;
  readonly pod: ApiObject | undefined;

  constructor(
    scope: Construct,
    id: string,
    { spec, image, instances, volumeSize = (size) => size, ...database }: DatabaseRepositoryProps,
  ) {
    super(scope, id);
    const identity = databaseIdentity(this, database);
    const { name, namespace } = identity;
    const objectName = objectNames(name).repository;
    const { backup, storage } = spec;
    const { volume } = backup.target;
    const config = repositoryConfig({ name, namespace, backup }, instances);
    this.configMap = new KubeObject(this, 'config-map', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: metadataOf(identity, objectName),
      ...{ data: { 'pgbackrest.conf': config, 'restore.conf': restoreConfig({ name, namespace, backup }) } },
    });
    const sizes = volume && sized(volume, storage);
    const asked = sizes && { ...sizes, size: volumeSize(sizes.size) };
    this.claim = asked && new KubeObject(this, 'claim', claim({ ...identity, name: objectName }, asked));
    this.pod = volume && new KubeObject(this, 'pod', repositoryPod(identity, image, spec));
  }
}

type Volume = NonNullable<NonNullable<DatabaseSpec['backup']>['target']['volume']>;

/** By default three times the data: seven compressed backups with the log between them need about that much. */
function sized({ size, storageClassName }: Volume, storage: DatabaseSpec['storage']): DatabaseSpec['storage'] {
  const byDefault = `${(wholeQuantity(storage.size) * 3n) / 1024n ** 2n}Mi`;
  const className = storageClassName ?? storage.storageClassName;
  return { size: size ?? byDefault, ...(className !== undefined && { storageClassName: className }) };
}
