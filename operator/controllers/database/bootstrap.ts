import type { DatabaseBackupStatusArchive, DatabaseResource } from '../../../imports/index.js';
import type { BackupSource, RestoreSource } from '../../../src/index.js';
import { RejectedError } from '../../runtime/index.js';
import type { DatabaseReads } from './declarations.js';

/** What a Database begins with. */
export interface Bootstrap extends RestoreSource {
  /** The claim of an archive that nobody serves any more; undefined where it is reached without. */
  readonly claim?: string | undefined;
}

type Reads = Pick<DatabaseReads, 'sources' | 'backup' | 'archives'>;

/** What is to be restored, as far as it is known. */
interface Wanted {
  /** The name of the Database that was backed up. */
  readonly from: string;
  /** The label of one of its backups. */
  readonly label?: string;
  /** Where that says that it is. */
  readonly archive?: Pick<DatabaseBackupStatusArchive, 'volume'> & Partial<BackupSource['backup']['target']>;
}

/** Why it is not to be had. */
interface Nothing {
  readonly why: string;
}

/** What a Database begins with; undefined where it begins empty, and once it has begun and that is not there any more. */
export function bootstrapOf(resource: DatabaseResource, reads: Reads): Bootstrap | undefined {
  if (!resource.spec.bootstrap.restore) return undefined;
  const found = foundFor(resource, reads);
  if (!('why' in found)) return found;
  if (resource.status?.timeline !== undefined) return undefined;
  throw new RejectedError(
    'NothingToRestore',
    `${found.why}: delete this Database, and make one that names what is there in bootstrap.restore.from`,
  );
}

/** True while its first instance reads what it begins with, or is about to. */
export function isBootstrapping({ status }: DatabaseResource): boolean {
  return status?.timeline === undefined || (status.readyReplicas ?? 0) === 0;
}

function foundFor({ metadata, spec }: DatabaseResource, reads: Reads): Bootstrap | Nothing {
  const wanted = wantedOf(spec.bootstrap.restore?.from ?? {}, reads);
  if ('why' in wanted) return wanted;
  const { name, namespace = '' } = metadata;
  const source = sourceOf(wanted, { name, namespace }, reads);
  if ('why' in source) return source;
  const { from, label } = wanted;
  const targetTime = spec.bootstrap.restore?.targetTime;
  return { ...source, restoration: { from, ...(label && { backup: label }), targetTime } };
}

type From = Partial<NonNullable<DatabaseResource['spec']['bootstrap']['restore']>['from']>;

function wantedOf({ database, backup, archive }: From, reads: Reads): Wanted | Nothing {
  if (archive) return { from: archive.database, archive: { s3: archive.s3 } };
  return database === undefined ? ofBackup(backup, reads.backup) : { from: database };
}

function ofBackup(name: string | undefined, backup: DatabaseReads['backup']): Wanted | Nothing {
  if (!backup) return { why: `there is no DatabaseBackup ${name} in this namespace` };
  const { label, state, archive } = backup.status ?? {};
  if (label === undefined) return { why: `DatabaseBackup ${backup.metadata.name} is not finished` };
  if (state === 'Expired') return { why: `DatabaseBackup ${backup.metadata.name} has left the archive` };
  return { from: backup.spec.database, label, archive };
}

type Named = Pick<BackupSource, 'name' | 'namespace'>;
type Source = Pick<Bootstrap, 'source' | 'claim'>;

/** A bucket is reached by its keys, a volume by the Pod of the Database that it belongs to, or by one of our own. */
function sourceOf({ from, archive }: Wanted, own: Named, { sources, archives }: Reads): Source | Nothing {
  const { namespace } = own;
  const said = (backup: BackupSource['backup']): BackupSource => ({ name: from, namespace, backup });
  if (archive?.s3) return { source: said({ target: { s3: archive.s3 } }) };
  const claim = archive?.volume?.claimName;
  const owner = sources.find(({ metadata }) => metadata.name === from);
  if (owner?.spec.backup && (claim === undefined || keepsServing(owner))) return { source: said(owner.spec.backup) };
  if (claim === undefined) return { why: `there is no Database ${from} with backups in this namespace` };
  if (!archives.some(({ metadata }) => metadata.name === claim))
    return { why: `the claim ${claim} that has the archive of Database ${from} is not there` };
  return { source: { ...said({ target: { volume: {} } }), servedBy: own.name }, claim };
}

/** Its Pod has the volume, and stays. */
function keepsServing({ metadata, spec }: DatabaseResource): boolean {
  return spec.backup?.target.volume !== undefined && metadata.deletionTimestamp === undefined;
}
