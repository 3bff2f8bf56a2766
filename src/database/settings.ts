import type { k8s } from 'cdk8s-plus-27';
import type { DatabaseSpec } from '../../imports/index.js';
import type { ManifestOf } from '../plain.js';
import { metadataOf } from '../workload/identity.js';
import { beginConfig } from './begin-config.js';
import type { DatabaseIdentity } from './identity.js';
import { objectNames } from './object-names.js';
import { dynamicConfig, patroniConfig, scopeLabel } from './patroni-config.js';
import {
  archiveConfig,
  type BackedUp,
  instanceConfig,
  type Restoration,
  restoreConfig,
  serverConfig,
} from './pgbackrest-config.js';
import { archiveKey } from './repository-pod.js';

type ConfigMap = ManifestOf<k8s.KubeConfigMapProps>;

/** What a new Database begins with. */
export interface Restored {
  /** Whose backups they are. */
  readonly source: BackedUp;
  /** Which of them, and until when. */
  readonly restoration: Restoration;
}

/** What the Pods of a Database read when they start: see `settingsVolume` for where. */
export function settings(identity: DatabaseIdentity, spec: DatabaseSpec, restored?: Restored): ConfigMap {
  const { name, namespace } = identity;
  const { backup } = spec;
  return configMap(identity, objectNames(name).settings, {
    data: {
      'patroni.yaml': patroniConfig(name, spec),
      'begin.json': beginConfig(spec, restored?.restoration),
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
