import type { DatabaseSpec } from '../../../imports/index.js';
import { objectNames } from '../object-names.js';
import { databasePorts, databaseRoles, hostOfPod, places } from '../places.js';

type Options = Readonly<Record<string, string | number>>;
type Backup = NonNullable<DatabaseSpec['backup']>;
type S3 = NonNullable<Backup['target']['s3']>;

/** Whose backups they are. */
export interface BackupSource {
  readonly name: string;
  readonly namespace: string;
  /** Where they are: `spec.backup` of that Database. */
  readonly backup: Pick<Backup, 'target'>;
  /**
   * The Database that serves their volume by a Pod of its own, since theirs is gone.
   * @default - their own Pod serves it
   */
  readonly servedBy?: string | undefined;
}

/** Whose backups are made. */
export type BackupTarget = BackupSource & { readonly backup: Pick<Backup, 'retention'> };

/** `pgbackrest.conf` beside the PostgreSQL of an instance: it pushes its log, and gets that of others. */
export function instanceConfig(database: BackupSource): string {
  return iniText({
    global: { ...common, ...reached(database, places.settings) },
    [database.name]: onItsOwn,
  });
}

/** `pgbackrest.conf` of what serves the data of an instance. It reaches no archive, so it needs no key of a bucket. */
export function serverConfig({ name }: Pick<BackupSource, 'name'>): string {
  return iniText({ global: { ...common, ...served(name) }, [name]: onItsOwn });
}

/** `pgbackrest.conf` where backups are made and kept. @param instances names of the pods whose data they have */
export function repositoryConfig(database: BackupTarget, instances: readonly string[]): string {
  return iniText({
    global: { ...common, ...served(database.name), ...kept(database, places.settings), ...making(database, instances) },
    [database.name]: Object.assign({}, ...instances.map((pod, index) => instanceOptions(pod, index + 1, database))),
  });
}

/** `pgbackrest.conf` of who restores a Database's backups, in {@link places.restore}, elsewhere or into another Database. */
export function restoreConfig(source: BackupSource): string {
  return iniText({
    global: { ...common, ...reached(source, places.restore) },
    // Where the data goes is said by who restores.
    [source.name]: { 'pg1-socket-path': places.sockets },
  });
}

/** `pgbackrest.conf` of the Pod of a Database that serves it the volume of another one, which is gone. */
export function archiveConfig(
  database: Pick<BackupSource, 'name' | 'namespace'>,
  source: Pick<BackupSource, 'name'>,
): string {
  return iniText({ global: { ...common, ...served(database.name, source.name), 'repo1-path': places.repository } });
}

/** What is restored. */
export interface RestorePoint {
  /** The name of the Database that was backed up. */
  readonly from: string;
  /** pgBackRest's name of one of its backups. @default - the last one before `targetTime` */
  readonly backup?: string | undefined;
  /** RFC 3339. @default - the end of the archive */
  readonly targetTime?: string | undefined;
}

/** The arguments with which pgBackRest restores it. */
export function restoreArguments({ from, backup, targetTime }: RestorePoint): readonly string[] {
  const set = backup === undefined ? [] : [`--set=${backup}`];
  const target =
    targetTime === undefined ? [] : ['--type=time', `--target=${utcText(targetTime)}`, '--target-action=promote'];
  return [`--stanza=${from}`, ...set, ...target];
}

/** The form by which pgBackRest finds the backup before a time; it takes others for no time, and the last backup. */
function utcText(time: string): string {
  const moment = new Date(time);
  // A spec with what is none is refused with all else that is wrong with it, for which its objects are made first.
  return Number.isNaN(moment.valueOf()) ? time : `${moment.toISOString().slice(0, -1).replace('T', ' ')}+00`;
}

/** The data of an instance, as it is called in its own Pod. */
const onItsOwn: Options = {
  'pg1-path': places.data,
  'pg1-socket-path': places.sockets,
  'pg1-user': databaseRoles.superuser,
};

const common: Options = {
  'log-level-console': 'warn',
  'log-level-file': 'off',
  'lock-path': '/tmp/pgbackrest',
  // What a restore leaves in the server's configuration is run with the keys of its bucket too.
  cmd: '/usr/local/bin/pgbackrest',
  'archive-timeout': 60,
};

/** Who connects must have the Database's own certificate, which is of its name. @param stanza whose backups he may see */
function served(name: string, stanza = name): Options {
  return {
    'tls-server-address': '*',
    'tls-server-port': databasePorts.pgbackrest,
    ...certificate('tls-server', places.tls),
    'tls-server-auth': `${name}=${stanza}`,
  };
}

/** Where backups are, as instances and restorers see it: a bucket, or the pod that has the volume. */
function reached(database: BackupSource, folder: string): Options {
  const { s3 } = database.backup.target;
  if (s3) return bucket(s3, database);
  const { name, namespace, servedBy } = database;
  const host = servedBy
    ? hostOfPod(objectNames(servedBy).archive, { name: servedBy, namespace })
    : hostOfPod(objectNames(name).repository, database);
  return {
    'repo1-host': host,
    'repo1-host-type': 'tls',
    'repo1-host-port': databasePorts.pgbackrest,
    'repo1-host-config': `${places.settings}/pgbackrest.conf`,
    ...certificate('repo1-host', servedBy ? places.tls : `${folder}/tls`),
  };
}

/** Where backups are, as they are made. */
function kept(database: BackupSource, folder: string): Options {
  const { s3 } = database.backup.target;
  return s3 ? reached(database, folder) : { 'repo1-path': places.repository };
}

function bucket(s3: S3, { name, namespace }: BackupSource): Options {
  const [host = '', port] = s3.endpoint.split(':');
  return {
    'repo1-type': 's3',
    'repo1-s3-endpoint': host,
    ...(port && { 'repo1-storage-port': port }),
    'repo1-s3-bucket': s3.bucket,
    'repo1-s3-region': s3.region,
    'repo1-s3-uri-style': s3.uriStyle.toLowerCase(),
    'repo1-path': s3.path ?? bucketPath({ name, namespace }),
  };
}

/** The folder of a Database in a bucket, unless its spec says another one. */
export function bucketPath({ name, namespace }: Pick<BackupSource, 'name' | 'namespace'>): string {
  return `/${namespace}/${name}`;
}

function making({ backup }: BackupTarget, instances: readonly string[]): Options {
  return {
    'repo1-retention-full': backup.retention.full,
    'compress-type': 'lz4',
    // Not at the next checkpoint, which may be minutes away.
    'start-fast': 'y',
    ...(instances.length > 1 && { 'backup-standby': 'y' }),
  };
}

function instanceOptions(pod: string, index: number, database: BackupSource): Options {
  const own = `pg${index}`;
  return {
    [`${own}-host`]: hostOfPod(pod, database),
    [`${own}-host-type`]: 'tls',
    [`${own}-host-port`]: databasePorts.pgbackrest,
    [`${own}-host-config`]: `${places.settings}/pgbackrest.conf`,
    ...certificate(`${own}-host`, places.tls),
    [`${own}-path`]: places.data,
    [`${own}-socket-path`]: places.sockets,
    [`${own}-user`]: databaseRoles.superuser,
  };
}

function certificate(prefix: string, folder: string): Options {
  return {
    [`${prefix}-ca-file`]: `${folder}/ca.crt`,
    [`${prefix}-cert-file`]: `${folder}/tls.crt`,
    [`${prefix}-key-file`]: `${folder}/tls.key`,
  };
}

/**
 * Its sections and their options.
 * @throws {Error} when one has a line break, behind which another option could stand
 */
function iniText(sections: Readonly<Record<string, Options>>): string {
  return Object.entries(sections)
    .map(([section, options]) => [`[${section}]`, ...Object.entries(options).map(([key, value]) => `${key}=${value}`)])
    .map((lines) => `${lines.map(oneLine).join('\n')}\n`)
    .join('\n');
}

function oneLine(line: string): string {
  if (!/[\r\n]/.test(line)) return line;
  throw new Error(
    `pgbackrest.conf takes one line for each option, got ${JSON.stringify(line)}; take the line break out`,
  );
}
