import {
  type DatabaseBackupResource,
  type DatabaseResource,
  databaseBackupKind,
  databaseKind,
} from '../../../imports/index.js';
import { type Facts, Pod, type Read, type Refer, timestampOf, withoutOwnerReference } from '../../runtime/index.js';
import { archiveOf, isSameArchive } from './archive.js';
import { type Work, workOf } from './result.js';

/** Annotation that requests the verification of a DatabaseBackup in a temporary instance. */
export const verifyAnnotation = 'reconstruct.dev/verify';

/** Kinds that a DatabaseBackup owns. */
export const owns = [withoutOwnerReference(Pod)] as const;

/** The Database, and all backups of the namespace, because the backups of a Database run one at a time. */
export const reads = ({ named, matchingLabels }: Refer<DatabaseBackupResource>) => ({
  database: named(databaseKind, ({ spec }) => spec.database),
  siblings: matchingLabels(databaseBackupKind, () => ({ labels: {} })),
});

/** The objects that `reads` finds. */
export type Looks = {
  readonly database: Read<DatabaseResource | undefined>;
  readonly siblings: Read<readonly DatabaseBackupResource[]>;
};

/** The input of `desire` and `assess`. */
export type BackupFacts = Pick<
  Facts<DatabaseBackupResource, (typeof owns)[number], Looks>,
  'resource' | 'owned' | 'reads' | 'now'
>;

/** The observed state of a backup. */
export interface Situation {
  readonly backup: DatabaseBackupResource;
  readonly database: DatabaseResource | undefined;
  readonly works: readonly Work[];
  /** Another backup of the Database that runs first. */
  readonly before: DatabaseBackupResource | undefined;
  /**
   * The current archive of the Database contains this backup: neither the target nor the Database has been replaced.
   */
  readonly isReachable: boolean;
  /** Newer completed full backups of the Database in the same archive. */
  readonly newer: readonly DatabaseBackupResource[];
  /** The number of newer backups reaches the retention. */
  readonly isOutdated: boolean;
  readonly now: number;
  /** The same time in RFC 3339. */
  readonly at: string;
}

export function situationOf({ resource: backup, owned, reads: { database, siblings }, now }: BackupFacts): Situation {
  const others = siblings.filter(
    ({ metadata, spec }) => spec.database === backup.spec.database && metadata.name !== backup.metadata.name,
  );
  const isReachable = isAt(database, backup);
  const newer = newerThan(backup, others).filter((other) => isAt(database, other));
  return {
    backup,
    database,
    works: owned.of(Pod).flatMap((pod) => workOf(pod) ?? []),
    before: others.filter((other) => !isOver(other) && goesBefore(other, backup)).sort(byTurn)[0],
    ...{ isReachable, newer },
    isOutdated: isReachable && newer.length >= (database?.spec.backup?.retention.full ?? Number.POSITIVE_INFINITY),
    now: now.getTime(),
    at: timestampOf(now),
  };
}

/** A backup without a recorded location is in the current archive of its Database. */
function isAt(database: DatabaseResource | undefined, { status }: DatabaseBackupResource): boolean {
  const present = database && archiveOf(database);
  return present !== undefined && isSameArchive(status?.archive ?? present, present);
}

/** True if the status of the backup shows that it is in the archive. */
export function isInArchive({ status }: DatabaseBackupResource): boolean {
  return status?.label !== undefined && status.state !== 'Expired';
}

/** True if the backup is completed, failed or being deleted. */
export function isOver({ status, metadata }: DatabaseBackupResource): boolean {
  return status?.label !== undefined || status?.state === 'Failed' || metadata.deletionTimestamp !== undefined;
}

/** The final backup precedes all others that have not started. The others run in order of creation. */
function goesBefore(one: DatabaseBackupResource, other: DatabaseBackupResource): boolean {
  return byTurn(one, other) < 0;
}

function byTurn(a: DatabaseBackupResource, b: DatabaseBackupResource): number {
  return turnOf(a) < turnOf(b) ? -1 : 1;
}

function turnOf({ spec, status, metadata }: DatabaseBackupResource): string {
  const running = status?.state === 'Running' ? '0' : '1';
  const last = spec.origin === 'Snapshot' ? '0' : '1';
  return `${running} ${last} ${metadata.creationTimestamp ?? ''} ${metadata.name}`;
}

function newerThan({ status }: DatabaseBackupResource, others: readonly DatabaseBackupResource[]) {
  const finished = status?.finished;
  if (finished === undefined) return [];
  return others.filter(
    ({ spec, status: other }) =>
      spec.type === 'Full' && other?.label !== undefined && (other.finished ?? '') > finished,
  );
}
