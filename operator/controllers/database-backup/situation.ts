import type { DatabaseBackupResource, DatabaseResource } from '../../../imports/index.js';
import { Pod, timestampOf } from '../../runtime/index.js';
import { archiveOf, isSameArchive } from './archive.js';
import { type BackupView, isOver } from './view.js';
import { type WorkerRun, workerRunOf } from './worker.js';

/** Annotation that requests the verification of a DatabaseBackup in a temporary instance. */
const verifyAnnotation = 'reconstruct.dev/verify';

/** The observed state of a backup. */
export interface Situation {
  readonly backup: DatabaseBackupResource;
  readonly database: DatabaseResource | undefined;
  readonly runs: readonly WorkerRun[];
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

export function situationOf({ resource: backup, owned, reads: { database, siblings }, now }: BackupView): Situation {
  const others = siblings.filter(
    ({ metadata, spec }) => spec.database === backup.spec.database && metadata.name !== backup.metadata.name,
  );
  const isReachable = isAt(database, backup);
  const newer = newerThan(backup, others).filter((other) => isAt(database, other));
  return {
    backup,
    database,
    runs: owned.of(Pod).flatMap((pod) => workerRunOf(pod) ?? []),
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

/** True if verification is requested: by an annotation, or because this is the final backup. */
export function wantsVerification({ backup: { metadata, spec } }: Situation): boolean {
  return spec.origin === 'Snapshot' || metadata.annotations?.[verifyAnnotation] === 'true';
}

/** True if the retention of the Database has removed the backup from the archive, or is about to. */
export function isExpired({ backup: { status }, isOutdated }: Situation): boolean {
  return status?.state === 'Expired' || (status?.label !== undefined && isOutdated);
}

/** The stopped instance with the volume that has the end of the log, while the final backup still needs it. */
export function closedBy({ backup, database, isReachable }: Situation): string | undefined {
  const { snapshot, closing } = database?.status ?? {};
  const isAsked = snapshot?.state === 'Closing' && snapshot.name === backup.metadata.name;
  const isDone = backup.status?.closed !== undefined;
  return isAsked && isReachable && database?.metadata.deletionTimestamp && !isDone ? closing : undefined;
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
