import type { k8s } from 'cdk8s-plus-27';
import type { DatabaseSpec } from '../../../imports/index.js';
import type { Plain } from '../../manifest/plain.js';
import type { BackupSource } from '../config/pgbackrest-config.js';
import { objectNames } from '../naming/object-names.js';
import { places } from '../naming/places.js';

type Volume = Plain<k8s.Volume>;
type Source = Plain<k8s.VolumeProjection>;
type Mount = Plain<k8s.VolumeMount>;

/** The names of volumes that several containers mount. */
export const volumeNames = {
  data: 'data',
  settings: 'settings',
  backupSettings: 'backup-settings',
  sockets: 'sockets',
  repository: 'repository',
} as const;

/** The Database whose settings a Pod mounts. */
export interface Settings {
  /** The name of the Database. */
  readonly database: string;
  readonly spec: DatabaseSpec;
  /** The Database whose backups it restores at its start. */
  readonly restored?: BackupSource | undefined;
}

/**
 * The volume with all settings of the first container, at {@link places.settings}. It is one volume, because a
 * read-only folder cannot contain the mount of another volume.
 */
export function settingsVolume({ database, spec, restored }: Settings): Volume {
  const names = objectNames(database);
  const { initSql } = spec.bootstrap;
  const s3 = spec.backup?.target.s3;
  return projected(volumeNames.settings, [
    configMap(names.settings, { 'patroni.yaml': 'patroni.yaml', 'begin.json': 'begin.json' }),
    ...(spec.backup ? [configMap(names.settings, { 'pgbackrest.conf': 'pgbackrest.conf' })] : []),
    secret(names.superuser, { password: 'secrets/superuser-password' }),
    secret(names.app, { password: 'secrets/app-password' }),
    secret(names.internal, {
      'replication-password': 'secrets/replication-password',
      'rewind-password': 'secrets/rewind-password',
    }),
    certificate(names.certificate, ''),
    ...(s3 ? bucket(s3.secretRef.name, '') : []),
    ...(initSql ? [initSqlOf(initSql.configMapRef)] : []),
    ...(restored ? restoring(names.settings, restored) : []),
  ]);
}

/**
 * The volume with the settings of pgBackRest as a server, without passwords. The options name the ConfigMap and the key
 * of its file.
 */
export function backupSettingsVolume(
  database: string,
  { config = objectNames(database).settings, key = 'server.conf' }: { config?: string; key?: string } = {},
): Volume {
  return projected(volumeNames.backupSettings, [
    configMap(config, { [key]: 'pgbackrest.conf' }),
    certificate(objectNames(database).certificate, ''),
  ]);
}

/** The Kubernetes name of the field. `cdk8s-plus-27` has another name for it. */
const ownNamespace: object = {
  downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] },
};

/** The ServiceAccount token of the Pod, for only one container. The kubelet renews it before it expires. */
export const tokenVolume: Volume = projected('token', [
  { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
  { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
  ownNamespace,
]);

/** The mount of the token at the path that clients expect. */
export const tokenMount: Mount = {
  name: tokenVolume.name,
  mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
  readOnly: true,
};

/** The mount of a settings volume. */
export function settingsMount(name: string): Mount {
  return { name, mountPath: places.settings, readOnly: true };
}

/**
 * Optional, because only the initialization needs the SQL: it fails without the file, but an initialized instance
 * starts.
 */
function initSqlOf({ name, key }: { readonly name: string; readonly key: string }): Source {
  return optional(configMap(name, { [key]: 'init/init.sql' }));
}

/**
 * The files for a restore. They are optional, because after the restore neither the other Database nor its Secrets must
 * exist.
 */
function restoring(settings: string, { name, backup, servedBy }: BackupSource): readonly Source[] {
  const { s3 } = backup.target;
  const certificates = servedBy ? [] : [certificate(objectNames(name).certificate, 'restore/')];
  const sources = [
    configMap(settings, { 'restore.conf': 'restore/pgbackrest.conf' }),
    ...(s3 ? bucket(s3.secretRef.name, 'restore/') : certificates),
  ];
  return sources.map(optional);
}

/**
 * The keys of a bucket. `ca.crt` is optional, because only the Secret shows whether the store has a private authority.
 */
function bucket(name: string, folder: string): readonly Source[] {
  const keys = { accessKeyId: `${folder}s3/accessKeyId`, secretAccessKey: `${folder}s3/secretAccessKey` };
  return [secret(name, keys), optional(secret(name, { 'ca.crt': `${folder}s3/ca.crt` }))];
}

function certificate(name: string, folder: string): Source {
  const files = ['tls.crt', 'tls.key', 'ca.crt'].map((file) => [file, `${folder}tls/${file}`]);
  return secret(name, Object.fromEntries(files));
}

function projected(name: string, sources: readonly Source[]): Volume {
  // Readable by the group: root owns the files, and PostgreSQL accepts such a key if no other user can read it.
  return { name, projected: { defaultMode: 0o440, sources } };
}

function configMap(name: string, files: Readonly<Record<string, string>>): Source {
  return { configMap: { name, items: itemsOf(files) } };
}

function secret(name: string, files: Readonly<Record<string, string>>): Source {
  return { secret: { name, items: itemsOf(files) } };
}

function optional({ configMap, secret }: Source): Source {
  return {
    ...(configMap && { configMap: { ...configMap, optional: true } }),
    ...(secret && { secret: { ...secret, optional: true } }),
  };
}

function itemsOf(files: Readonly<Record<string, string>>): readonly Plain<k8s.KeyToPath>[] {
  return Object.entries(files).map(([key, path]) => ({ key, path }));
}
