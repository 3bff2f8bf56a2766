import type { k8s } from 'cdk8s-plus-27';
import type { DatabaseSpec } from '../../../imports/index.js';
import type { ManifestOf } from '../../manifest/plain.js';
import { metadataOf } from '../../workload/identity.js';
import { dynamicConfig, patroniConfig } from '../config/patroni-config.js';
import {
  archiveConfig,
  instanceConfig,
  type RestorePoint,
  type RestoreSource,
  restoreArguments,
  restoreConfig,
  serverConfig,
} from '../config/pgbackrest-config.js';
import { type DatabaseIdentity, patroniLabels, scopeLabel } from '../naming/identity.js';
import { objectNames } from '../naming/object-names.js';
import { archiveKey } from '../pods/repository-pod.js';

type ConfigMap = ManifestOf<k8s.KubeConfigMapProps>;

/** The settings that the Pods of a Database read when they start. `settingsVolume` mounts them. */
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

/** The Patroni configuration of all instances. Patroni applies a change without a new Pod. */
export function dynamicSettings(identity: DatabaseIdentity, spec: DatabaseSpec): ConfigMap {
  const { name } = identity;
  const config = JSON.stringify(dynamicConfig(name, spec));
  return patronis(identity, objectNames(name).dynamicConfig, { config });
}

/** The ConfigMap for failover requests to Patroni. */
export function failoverRequests(identity: DatabaseIdentity): ConfigMap {
  return patronis(identity, objectNames(identity.name).failover);
}

/** A ConfigMap that Patroni finds by its labels. Patroni stores its state in the annotations. */
function patronis(identity: DatabaseIdentity, name: string, annotations?: Readonly<Record<string, string>>): ConfigMap {
  const labels = { ...patroniLabels(identity.name), [scopeLabel]: identity.name };
  return {
    ...configMap({ ...identity, labels }, name),
    metadata: { name, namespace: identity.namespace, labels, ...(annotations && { annotations }) },
  };
}

function configMap(identity: DatabaseIdentity, name: string, content: Pick<ConfigMap, 'data'> = {}): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadataOf(identity, name), ...content };
}

/**
 * `begin.json`: the instructions with which the first instance of a Database initializes its empty volume.
 * @param restoration backup and time to restore. @default - none: the database starts empty
 */
export function bootstrapConfig({ bootstrap, backup }: DatabaseSpec, restoration?: RestorePoint): string {
  const plan = {
    database: bootstrap.database,
    owner: bootstrap.owner,
    // Whether there is SQL to run, so that a missing ConfigMap is an error.
    initSql: bootstrap.initSql !== undefined,
    // Whether there is an archive. No other Database may have used it before.
    archive: backup !== undefined,
    restore: restoration ? restoreArguments(restoration) : null,
  };
  return `${JSON.stringify(plan, null, 2)}\n`;
}
