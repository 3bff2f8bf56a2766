import type { DatabaseBackupStatusArchive, DatabaseResource } from '../../../imports/index.js';
import type { BackupSource, RestoreSource } from '../../../src/index.js';
import { RejectedError } from '../../runtime/index.js';
import type { DatabaseReads } from './declarations.js';

/** The backup from which a Database starts. */
export interface Bootstrap extends RestoreSource {
  /** The PVC of an archive that no other Pod serves. Undefined if the archive is reachable without it. */
  readonly claim?: string | undefined;
}

type Reads = Pick<DatabaseReads, 'sources' | 'backup' | 'archives'>;

/** The backup to restore, as far as it is known. */
interface Wanted {
  /** The name of the Database that was backed up. */
  readonly from: string;
  /** The label of one of its backups. */
  readonly label?: string;
  /** The location of the archive, as the backup reports it. */
  readonly archive?: Pick<DatabaseBackupStatusArchive, 'volume'> & Partial<BackupSource['backup']['target']>;
}

/** The reason why the backup cannot be restored: the end of an error message, after the field and its value. */
interface Nothing {
  readonly why: string;
}

/**
 * The backup from which a Database starts. Undefined if the Database starts empty, or if it has already started and the
 * backup no longer exists.
 * @throws {RejectedError} when the backup does not exist and the Database has not started
 */
export function bootstrapOf(resource: DatabaseResource, reads: Reads): Bootstrap | undefined {
  if (!resource.spec.bootstrap.restore) return undefined;
  const found = foundFor(resource, reads);
  if (!('why' in found)) return found;
  if (resource.status?.timeline !== undefined) return undefined;
  const { database, backup } = resource.spec.bootstrap.restore.from;
  const field = `spec.bootstrap.restore.from.${database === undefined ? 'backup' : 'database'}`;
  throw new RejectedError(
    'NothingToRestore',
    `${field}: Invalid value: "${database ?? backup}": ${found.why}; delete this Database and create one that names an existing backup`,
  );
}

/** True while the first instance restores the backup, or is about to. */
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

function wantedOf({ database, archive }: From, reads: Reads): Wanted | Nothing {
  if (archive) return { from: archive.database, archive: { s3: archive.s3 } };
  return database === undefined ? ofBackup(reads.backup) : { from: database };
}

function ofBackup(backup: DatabaseReads['backup']): Wanted | Nothing {
  if (!backup) return { why: 'must be a DatabaseBackup in this namespace' };
  const { label, state, archive } = backup.status ?? {};
  if (label === undefined) return { why: 'must be a DatabaseBackup that is completed' };
  if (state === 'Expired') return { why: 'must be a DatabaseBackup that is still in the archive' };
  return { from: backup.spec.database, label, archive };
}

type Named = Pick<BackupSource, 'name' | 'namespace'>;
type Source = Pick<Bootstrap, 'source' | 'claim'>;

/** A bucket is read with its keys, a volume through the Pod of its Database or through a Pod of this Database. */
function sourceOf({ from, archive }: Wanted, own: Named, { sources, archives }: Reads): Source | Nothing {
  const { namespace } = own;
  const said = (backup: BackupSource['backup']): BackupSource => ({ name: from, namespace, backup });
  if (archive?.s3) return { source: said({ target: { s3: archive.s3 } }) };
  const claim = archive?.volume?.claimName;
  const owner = sources.find(({ metadata }) => metadata.name === from);
  if (owner?.spec.backup && (claim === undefined || keepsServing(owner))) return { source: said(owner.spec.backup) };
  if (claim === undefined)
    return { why: `must have an archive, and this namespace has no Database ${from} with backups` };
  if (!archives.some(({ metadata }) => metadata.name === claim))
    return { why: `must have an archive, and PVC ${claim} with the archive of Database ${from} does not exist` };
  return { source: { ...said({ target: { volume: {} } }), servedBy: own.name }, claim };
}

/** True if the Pod of the Database serves the volume and is not about to stop. */
function keepsServing({ metadata, spec }: DatabaseResource): boolean {
  return spec.backup?.target.volume !== undefined && metadata.deletionTimestamp === undefined;
}
