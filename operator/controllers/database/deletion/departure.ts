import { secondsOf } from '../../../../crds/index.js';
import type { DatabaseBackupResource, DatabaseResource } from '../../../../imports/index.js';
import { conditionOf } from '../../../runtime/index.js';

/** Annotation with which a user skips the final backup. */
export const skipAnnotation = 'reconstruct.dev/skip-final-snapshot';

/** The condition with which the controllers of a Database coordinate its deletion. */
export const deletable = 'Deletable';

/** Reasons of the condition `Deletable`. */
export type Departure =
  | 'SnapshotNotNeeded'
  | 'SnapshotCompleted'
  | 'Skipped'
  | 'Abandoned'
  | 'ArchiveRetained'
  | 'VolumesDeleted'
  | 'SnapshotRunning'
  | 'SnapshotVerifying'
  | 'Closing'
  | 'NamespaceTerminating'
  | 'SnapshotFailed';

const freeing: ReadonlySet<string> = new Set([
  'SnapshotNotNeeded',
  'SnapshotCompleted',
  'Skipped',
  'Abandoned',
  'ArchiveRetained',
  'VolumesDeleted',
] satisfies Departure[]);

/** The facts that decide whether a Database can be deleted, each as it is read in this reconcile. */
export interface Leaving {
  readonly resource: DatabaseResource;
  /** The final backups, oldest first. Verification failed for all but the newest. */
  readonly snapshots: readonly DatabaseBackupResource[];
  /** Completed backups of the Database, of any origin. */
  readonly complete: readonly DatabaseBackupResource[];
  /** No instance exists, and no volume that could hold data. */
  readonly isEmpty: boolean;
  /** The PVC of the archive is being deleted. */
  readonly isArchiveGoing: boolean;
  /** The namespace is being deleted, so the API server accepts no new objects in it. */
  readonly isNamespaceEnding: boolean;
  /** The PersistentVolumes of the instance PVCs that still exist. */
  readonly volumes: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The progress of a deletion. Only facts that were read in this reconcile allow the deletion, in this order: no data
 * exists to save; a user skips the final backup; the final backup is verified and the archive has all later writes; the
 * deadline has passed and `spec.finalSnapshot.onFailure` is `Abandon`.
 */
export function departureOf(leaving: Leaving): Departure {
  const { resource, isNamespaceEnding, now } = leaving;
  const { spec } = resource;
  if (spec.deletionPolicy !== 'Snapshot' || !spec.backup || leaving.isEmpty) return 'SnapshotNotNeeded';
  if (isSkipped(resource)) return 'Skipped';
  // An archive that is about to be deleted saves nothing.
  const snapshots = leaving.isArchiveGoing ? [] : leaving.snapshots;
  const good = snapshots.filter(isGood);
  if (good.some(({ status }) => status?.closed !== undefined)) return 'SnapshotCompleted';
  if (isNamespaceEnding && isArchived(leaving)) return 'ArchiveRetained';
  const isLate = now >= deadlineOf(resource);
  if (isLate && spec.finalSnapshot.onFailure === 'Abandon') return 'Abandoned';
  if (isNamespaceEnding) return isLate && leaving.volumes.length === 0 ? 'VolumesDeleted' : 'NamespaceTerminating';
  if (good.length > 0) return 'Closing';
  if (isLate) return 'SnapshotFailed';
  return snapshots.at(-1)?.status?.label === undefined ? 'SnapshotRunning' : 'SnapshotVerifying';
}

/**
 * True if a bucket has all writes: instances push the end of their log to the bucket as they stop. A namespace deletion
 * removes the DatabaseBackups but not the bucket, so a verified backup in the status of the Database also counts.
 */
function isArchived({ resource, complete }: Leaving): boolean {
  const { spec, status } = resource;
  const hasGood = complete.some(isGood) || status?.backup?.lastVerified !== undefined;
  return spec.backup?.target.s3 !== undefined && status?.unarchivedSince === undefined && hasGood;
}

/** Deadline of the final backup, in milliseconds since 1970. */
export function deadlineOf({ metadata, spec }: DatabaseResource): number {
  return Date.parse(metadata.deletionTimestamp ?? '') + 1000 * secondsOf(spec.finalSnapshot.deadline);
}

/** True if the backup is in the archive. */
export function isComplete({ status }: Pick<DatabaseBackupResource, 'status'>): boolean {
  return status?.label !== undefined && status.state !== 'Expired';
}

/** True if the backup is in the archive and verified. */
export function isGood(backup: DatabaseBackupResource): boolean {
  return isComplete(backup) && backup.status?.verified?.result === 'RestoreSucceeded';
}

/** The final backup that counts: a verified one, or else the current attempt. */
export function lastOf(snapshots: readonly DatabaseBackupResource[]): DatabaseBackupResource | undefined {
  return snapshots.find(isGood) ?? snapshots.at(-1);
}

/**
 * True while a Database must keep running: it is not being deleted, or its final backup is not yet safe. Unknown facts
 * keep it running.
 */
export function staysUp(resource: DatabaseResource): boolean {
  const { metadata, spec } = resource;
  if (!metadata.deletionTimestamp) return true;
  if (spec.deletionPolicy !== 'Snapshot' || !spec.backup || isSkipped(resource)) return false;
  const said = saidOf(resource);
  return said?.status !== 'True' || !freeing.has(said.reason);
}

/**
 * True while the instances of a Database that is being deleted stop: the final backup is verified, and the archive
 * lacks only the writes made after it.
 */
export function isClosing(resource: DatabaseResource): boolean {
  const isSaid = saidOf(resource)?.reason === ('Closing' satisfies Departure);
  return isSaid && resource.metadata.deletionTimestamp !== undefined && staysUp(resource);
}

/** True if the volumes outlive the Database: the spec requests it, or no other place has the data for certain. */
export function leavesClaims(resource: DatabaseResource): boolean {
  const { metadata, spec } = resource;
  if (!metadata.deletionTimestamp) return false;
  if (spec.deletionPolicy === 'Delete' || isSkipped(resource)) return false;
  if (spec.deletionPolicy === 'Retain' || !spec.backup) return true;
  return staysUp(resource);
}

/** The condition `Deletable`, which the backups controller writes. */
function saidOf(resource: DatabaseResource) {
  return conditionOf(resource, deletable);
}

function isSkipped({ metadata }: DatabaseResource): boolean {
  return metadata.annotations?.[skipAnnotation] === 'true';
}
