import type { k8s } from 'cdk8s-plus-27';
import type { DatabaseSpec } from '../../../imports/index.js';
import type { ManifestOf } from '../../plain.js';
import { metadataOf } from '../../workload/identity.js';
import type { DatabaseIdentity } from '../identity.js';
import { objectNames } from '../object-names.js';
import { archiveKey } from '../pods/repository-pod.js';
import { dynamicConfig, patroniConfig, scopeLabel } from './patroni-config.js';
import {
  archiveConfig,
  type BackupSource,
  instanceConfig,
  type RestorePoint,
  restoreArguments,
  restoreConfig,
  serverConfig,
} from './pgbackrest-config.js';

type ConfigMap = ManifestOf<k8s.KubeConfigMapProps>;

/** What a new Database begins with. */
export interface RestoreSource {
  /** Whose backups they are. */
  readonly source: BackupSource;
  /** Which of them, and until when. */
  readonly restoration: RestorePoint;
}

/** What the Pods of a Database read when they start: see `settingsVolume` for where. */
export function settings(identity: DatabaseIdentity, spec: DatabaseSpec, restored?: RestoreSource): ConfigMap {
  const { name, namespace } = identity;
  const { backup } = spec;
  return configMap(identity, objectNames(name).settings, {
    data: {
      'patroni.yaml': patroniConfig(name, spec),
      'begin.json': bootstrapConfig(spec, restored?.restoration),
      ...(backup && {
        'pgbackrest.conf': instanceConfig({ name, namespace, backup }),
        'server.conf': serverConfig({ name }),
      }),
      ...(restored && { 'restore.conf': restoreConfig(restored.source) }),
      ...(restored?.source.servedBy && { [archiveKey]: archiveConfig({ name, namespace }, restored.source) }),
    },
  });
}

/** What Patroni holds for all instances alike. It follows a change without a new Pod. */
export function dynamicSettings(identity: DatabaseIdentity, spec: DatabaseSpec): ConfigMap {
  const { name } = identity;
  const config = JSON.stringify(dynamicConfig(name, spec));
  return patronis(identity, objectNames(name).dynamicConfig, { config });
}

/** Where Patroni is asked for another primary. */
export function failoverRequests(identity: DatabaseIdentity): ConfigMap {
  return patronis(identity, objectNames(identity.name).failover);
}

/** A ConfigMap that Patroni finds by its labels, and keeps its word in by annotations. */
function patronis(identity: DatabaseIdentity, name: string, annotations?: Readonly<Record<string, string>>): ConfigMap {
  const labels = { ...identity.labels, [scopeLabel]: identity.name };
  return {
    ...configMap({ ...identity, labels }, name),
    metadata: { name, namespace: identity.namespace, labels, ...(annotations && { annotations }) },
  };
}

function configMap(identity: DatabaseIdentity, name: string, content: Pick<ConfigMap, 'data'> = {}): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadataOf(identity, name), ...content };
}

/**
 * `begin.json`: what the first instance of a Database makes of its empty volume.
 * @param restoration what is restored. @default - nothing: the database begins empty
 */
export function bootstrapConfig({ bootstrap, backup }: DatabaseSpec, restoration?: RestorePoint): string {
  const plan = {
    database: bootstrap.database,
    owner: bootstrap.owner,
    // Whether there is SQL to run, so that a ConfigMap that is not there is not taken for none.
    initSql: bootstrap.initSql !== undefined,
    // Whether there is one, which nobody may have used before.
    archive: backup !== undefined,
    restore: restoration ? restoreArguments(restoration) : null,
  };
  return `${JSON.stringify(plan, null, 2)}\n`;
}
