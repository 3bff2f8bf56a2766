import type { k8s } from 'cdk8s-plus-27';
import type { DatabaseSpec } from '../../../imports/index.js';
import type { Plain } from '../../plain.js';
import type { BackupSource } from '../config/pgbackrest-config.js';
import { objectNames } from '../object-names.js';
import { places } from '../places.js';

type Volume = Plain<k8s.Volume>;
type Source = Plain<k8s.VolumeProjection>;
type Mount = Plain<k8s.VolumeMount>;

/** Names of volumes that several containers know. */
export const volumeNames = {
  data: 'data',
  settings: 'settings',
  backupSettings: 'backup-settings',
  sockets: 'sockets',
  repository: 'repository',
} as const;

/** Of whose settings a Pod reads: by which names its objects go. */
export interface Settings {
  /** The Database's name. */
  readonly database: string;
  readonly spec: DatabaseSpec;
  /** Whose backups it begins with. */
  readonly restored?: BackupSource | undefined;
}

/**
 * All that the first container reads, at {@link places.settings}. It is one volume, because a folder that cannot be written
 * to has no room for the mount of another.
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

/** What pgBackRest reads where it serves data: no password. @param from the ConfigMap with its file, and the file's key */
export function backupSettingsVolume(
  database: string,
  { config = objectNames(database).settings, key = 'server.conf' }: { config?: string; key?: string } = {},
): Volume {
  return projected(volumeNames.backupSettings, [
    configMap(config, { [key]: 'pgbackrest.conf' }),
    certificate(objectNames(database).certificate, ''),
  ]);
}

/** An instance's own data. */
export function claimVolume(name: string, claimName: string): Volume {
  return { name, persistentVolumeClaim: { claimName } };
}

/** Room that goes with the Pod; in memory where a secret is written to it. */
export function emptyVolume(name: string, inMemory?: { readonly upTo: string }): Volume {
  return { name, emptyDir: inMemory ? { medium: 'Memory', sizeLimit: inMemory.upTo } : {} };
}

/** As Kubernetes spells it; `cdk8s-plus-27` has the field by another name. */
const ownNamespace: object = {
  downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] },
};

/** The word of the API server for the Pod's account, for one container alone. It is renewed before it ends. */
export const tokenVolume: Volume = projected('token', [
  { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
  { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
  ownNamespace,
]);

/** Where clients look for it. */
export const tokenMount: Mount = {
  name: tokenVolume.name,
  mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
  readOnly: true,
};

/** A mount of settings. */
export function settingsMount(name: string): Mount {
  return { name, mountPath: places.settings, readOnly: true };
}

/** The database is begun with it once: without it nothing is begun, but what has begun starts without it, too. */
function initSqlOf({ name, key }: { readonly name: string; readonly key: string }): Source {
  return optional(configMap(name, { [key]: 'init/init.sql' }));
}

/** What a restore takes. All may go once it is done: neither the other Database nor its Secrets need to stay. */
function restoring(settings: string, { name, backup, servedBy }: BackupSource): readonly Source[] {
  const { s3 } = backup.target;
  const certificates = servedBy ? [] : [certificate(objectNames(name).certificate, 'restore/')];
  const sources = [
    configMap(settings, { 'restore.conf': 'restore/pgbackrest.conf' }),
    ...(s3 ? bucket(s3.secretRef.name, 'restore/') : certificates),
  ];
  return sources.map(optional);
}

/** The keys of a bucket. Whether its store has a certificate of its own, only its Secret knows. */
function bucket(name: string, folder: string): readonly Source[] {
  const keys = { accessKeyId: `${folder}s3/accessKeyId`, secretAccessKey: `${folder}s3/secretAccessKey` };
  return [secret(name, keys), optional(secret(name, { 'ca.crt': `${folder}s3/ca.crt` }))];
}

function certificate(name: string, folder: string): Source {
  const files = ['tls.crt', 'tls.key', 'ca.crt'].map((file) => [file, `${folder}tls/${file}`]);
  return secret(name, Object.fromEntries(files));
}

function projected(name: string, sources: readonly Source[]): Volume {
  // Read by the group: the files are root's, and PostgreSQL takes a key that is, if nobody else may read it.
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
