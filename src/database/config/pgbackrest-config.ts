import type { DatabaseSpec } from '../../../imports/index.js';
import { objectNames } from '../naming/object-names.js';
import { databasePorts, databaseRoles, hostOfPod, places } from '../naming/places.js';

type Options = Readonly<Record<string, string | number>>;
type Backup = NonNullable<DatabaseSpec['backup']>;
type S3 = NonNullable<Backup['target']['s3']>;

/** A Database with backups. */
export interface BackupSource {
  readonly name: string;
  readonly namespace: string;
  /** The location of the backups: `spec.backup` of that Database. */
  readonly backup: Pick<Backup, 'target'>;
  /**
   * The Database that serves the volume with a Pod of its own, because the original Pod no longer exists.
   * @default - the repository Pod of the Database itself serves it
   */
  readonly servedBy?: string | undefined;
}

/** A Database to back up. */
export type BackupTarget = BackupSource & { readonly backup: Pick<Backup, 'retention'> };

/** `pgbackrest.conf` of an instance, which pushes its write-ahead log to the archive and reads the log of others. */
export function instanceConfig(database: BackupSource): string {
  return iniText({
    global: { ...common, ...reached(database, places.settings) },
    [database.name]: onItsOwn,
  });
}

/**
 * `pgbackrest.conf` of the container that serves the data of an instance. It does not access the archive, so it needs
 * no bucket key.
 */
export function serverConfig({ name }: Pick<BackupSource, 'name'>): string {
  return iniText({ global: { ...common, ...served(name) }, [name]: onItsOwn });
}

/** `pgbackrest.conf` of the repository. @param instances names of the Pods to back up */
export function repositoryConfig(database: BackupTarget, instances: readonly string[]): string {
  return iniText({
    global: { ...common, ...served(database.name), ...kept(database, places.settings), ...making(database, instances) },
    [database.name]: Object.assign({}, ...instances.map((pod, index) => instanceOptions(pod, index + 1, database))),
  });
}

/**
 * `pgbackrest.conf` for a restore of the backups of a Database, in {@link places.restore}: in a worker or into another
 * Database.
 */
export function restoreConfig(source: BackupSource): string {
  return iniText({
    global: { ...common, ...reached(source, places.restore) },
    // The restore command sets the path of the data.
    [source.name]: { 'pg1-socket-path': places.sockets },
  });
}

/** `pgbackrest.conf` of the Pod that serves a Database the volume of another one, which no longer exists. */
export function archiveConfig(
  database: Pick<BackupSource, 'name' | 'namespace'>,
  source: Pick<BackupSource, 'name'>,
): string {
  return iniText({ global: { ...common, ...served(database.name, source.name), 'repo1-path': places.repository } });
}

/** The backup and the time to restore. */
export interface RestorePoint {
  /** The name of the Database that was backed up. */
  readonly from: string;
  /** The pgBackRest label of a backup. @default - the last one before `targetTime` */
  readonly backup?: string | undefined;
  /** The time to restore, in RFC 3339 format. @default - the end of the archive */
  readonly targetTime?: string | undefined;
}

/** The source of the data of a new Database. */
export interface RestoreSource {
  /** The Database with the backups. */
  readonly source: BackupSource;
  /** The backup and the time to restore. */
  readonly restoration: RestorePoint;
}

/** The arguments of pgBackRest for a restore. */
export function restoreArguments({ from, backup, targetTime }: RestorePoint): readonly string[] {
  const set = backup === undefined ? [] : [`--set=${backup}`];
  const target =
    targetTime === undefined ? [] : ['--type=time', `--target=${utcText(targetTime)}`, '--target-action=promote'];
  return [`--stanza=${from}`, ...set, ...target];
}

/** The format with which pgBackRest finds the backup before a time. With other formats it uses the last backup. */
function utcText(time: string): string {
  const moment = new Date(time);
  // An invalid time is reported with all other problems of the spec, after its objects are rendered.
  return Number.isNaN(moment.valueOf()) ? time : `${moment.toISOString().slice(0, -1).replace('T', ' ')}+00`;
}

/** The data of an instance, as seen in its own Pod. */
const onItsOwn: Options = {
  'pg1-path': places.data,
  'pg1-socket-path': places.sockets,
  'pg1-user': databaseRoles.superuser,
};

const common: Options = {
  'log-level-console': 'warn',
  'log-level-file': 'off',
  'lock-path': '/tmp/pgbackrest',
  // The command that a restore writes into the server configuration needs the bucket keys, too.
  cmd: '/usr/local/bin/pgbackrest',
  'archive-timeout': 60,
};

/**
 * Clients must present the certificate of the Database, which has its name.
 * @param stanza stanza that they can access
 */
function served(name: string, stanza = name): Options {
  return {
    'tls-server-address': '*',
    'tls-server-port': databasePorts.pgbackrest,
    ...certificate('tls-server', places.tls),
    'tls-server-auth': `${name}=${stanza}`,
  };
}

/** The location of backups for instances and restores: a bucket, or the Pod with the volume. */
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

/** The location of backups for the repository. */
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

/** The default folder of a Database in a bucket. */
export function bucketPath({ name, namespace }: Pick<BackupSource, 'name' | 'namespace'>): string {
  return `/${namespace}/${name}`;
}

function making({ backup }: BackupTarget, instances: readonly string[]): Options {
  return {
    'repo1-retention-full': backup.retention.full,
    'compress-type': 'lz4',
    // Starts a backup at once, because the next checkpoint can be minutes away.
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
 * The text of an INI file.
 * @throws {Error} if an option has a line break, which could hide another option
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
    `pgbackrest.conf must have one line for each option, got ${JSON.stringify(line)}; remove the line break`,
  );
}
