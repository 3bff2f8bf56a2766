import {
  type DatabaseBackupResource,
  type DatabaseResource,
  databaseBackupKind,
  databaseKind,
} from '../../../imports/index.js';
import { type Facts, Pod, type Read, type Refer, timestampOf, withoutOwnerReference } from '../../runtime/index.js';
import { archiveOf, isSameArchive } from './archive.js';
import { type Work, workOf } from './result.js';

/** Annotation of a DatabaseBackup that is to be restored into an instance of its own, and checked. */
export const verifyAnnotation = 'reconstruct.dev/verify';

/** What a backup is made of. */
export const owns = [withoutOwnerReference(Pod)] as const;

/** The Database, and all backups of the namespace: those of one Database are made one after the other. */
export const reads = ({ named, matchingLabels }: Refer<DatabaseBackupResource>) => ({
  database: named(databaseKind, ({ spec }) => spec.database),
  siblings: matchingLabels(databaseBackupKind, () => ({ labels: {} })),
});

/** What `reads` finds. */
export type Looks = {
  readonly database: Read<DatabaseResource | undefined>;
  readonly siblings: Read<readonly DatabaseBackupResource[]>;
};

/** What is known of a DatabaseBackup. */
export type BackupFacts = Pick<
  Facts<DatabaseBackupResource, (typeof owns)[number], Looks>,
  'resource' | 'owned' | 'reads' | 'now'
>;

/** What there is of a backup at a moment. */
export interface Situation {
  readonly backup: DatabaseBackupResource;
  readonly database: DatabaseResource | undefined;
  readonly works: readonly Work[];
  /** Another backup of the Database goes first. */
  readonly before: DatabaseBackupResource | undefined;
  /** The Database backs up to where this backup is: not to another place by now, nor is it another one of its name. */
  readonly isReachable: boolean;
  /** Complete full backups of the Database in the same place that are newer. */
  readonly newer: readonly DatabaseBackupResource[];
  /** They are as many as its retention keeps. */
  readonly isOutdated: boolean;
  readonly now: number;
  /** The same as RFC 3339. */
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

/** What does not say where it is, is where its Database has the others. */
function isAt(database: DatabaseResource | undefined, { status }: DatabaseBackupResource): boolean {
  const present = database && archiveOf(database);
  return present !== undefined && isSameArchive(status?.archive ?? present, present);
}

/** It is in the archive, as far as it says so itself. */
export function isInArchive({ status }: DatabaseBackupResource): boolean {
  return status?.label !== undefined && status.state !== 'Expired';
}

/** Nothing more is made of it. */
export function isOver({ status, metadata }: DatabaseBackupResource): boolean {
  return status?.label !== undefined || status?.state === 'Failed' || metadata.deletionTimestamp !== undefined;
}

/** The last one goes before all others that have not begun, then the one that was wanted first. */
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
