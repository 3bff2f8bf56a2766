import { secondsOf } from '../../../../crds/index.js';
import type { DatabaseBackupResource, DatabaseResource } from '../../../../imports/index.js';

/** Annotation by which a person gives the last backup up. */
export const skipAnnotation = 'reconstruct.dev/skip-final-snapshot';

/** The condition by which the controllers of a Database that is being deleted agree on how far it is. */
export const deletable = 'Deletable';

/** Why a Database that is being deleted may go, or may not yet. */
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

/** What a departure is told from: each fact as it is read at present. */
export interface Leaving {
  readonly resource: DatabaseResource;
  /** The last backups, the oldest first. All but the newest were found bad. */
  readonly snapshots: readonly DatabaseBackupResource[];
  /** Complete backups of it, whatever their origin. */
  readonly complete: readonly DatabaseBackupResource[];
  /** There is no instance of it, nor a volume that could have its data. */
  readonly isEmpty: boolean;
  /** The claim that has its archive is being deleted. */
  readonly isArchiveGoing: boolean;
  /** Nothing can be made in its namespace any more. */
  readonly isNamespaceEnding: boolean;
  /** The PersistentVolumes of its instances, as far as claims of them are there. */
  readonly volumes: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * How far a Database that is being deleted is. What frees it is a fact that was read now, in this order: there is nothing
 * to save, a person gives it up, the last backup was verified and the archive has what was written after it, too, time is up
 * and the spec says to give it up.
 */
export function departureOf(leaving: Leaving): Departure {
  const { resource, isNamespaceEnding, now } = leaving;
  const { spec } = resource;
  if (spec.deletionPolicy !== 'Snapshot' || !spec.backup || leaving.isEmpty) return 'SnapshotNotNeeded';
  if (isSkipped(resource)) return 'Skipped';
  // What is not there any more in a minute saves nothing.
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
 * A bucket has all that was written: instances push the end of their log there as they stop. DatabaseBackups go with their
 * namespace, one before the other, and leave what is in the bucket: what the status had of them by then counts as they do.
 */
function isArchived({ resource, complete }: Leaving): boolean {
  const { spec, status } = resource;
  const hasGood = complete.some(isGood) || status?.backup?.lastVerified !== undefined;
  return spec.backup?.target.s3 !== undefined && status?.unarchivedSince === undefined && hasGood;
}

/** Until when the last backup is tried. Milliseconds since 1970. */
export function deadlineOf({ metadata, spec }: DatabaseResource): number {
  return Date.parse(metadata.deletionTimestamp ?? '') + 1000 * secondsOf(spec.finalSnapshot.deadline);
}

/** It is in the archive. */
export function isComplete({ status }: Pick<DatabaseBackupResource, 'status'>): boolean {
  return status?.label !== undefined && status.state !== 'Expired';
}

/** It is in the archive, was restored and found good. */
export function isGood(backup: DatabaseBackupResource): boolean {
  return isComplete(backup) && backup.status?.verified?.result === 'RestoreSucceeded';
}

/**
 * True while a Database that is being deleted must go on as it is: its last backup is not in safety. What is not known
 * keeps it.
 */
export function staysUp(resource: DatabaseResource): boolean {
  const { metadata, spec } = resource;
  if (!metadata.deletionTimestamp) return true;
  if (spec.deletionPolicy !== 'Snapshot' || !spec.backup || isSkipped(resource)) return false;
  const said = saidOf(resource);
  return said?.status !== 'True' || !freeing.has(said.reason);
}

/**
 * True while the instances of a Database that is being deleted stop: its last backup is good, and only what came after it
 * is not yet in safety.
 */
export function isClosing(resource: DatabaseResource): boolean {
  const isSaid = saidOf(resource)?.reason === ('Closing' satisfies Departure);
  return isSaid && resource.metadata.deletionTimestamp !== undefined && staysUp(resource);
}

/** True where the volumes of a Database stay when it goes: it says so, or nothing else has its data for certain. */
export function leavesClaims(resource: DatabaseResource): boolean {
  const { metadata, spec } = resource;
  if (!metadata.deletionTimestamp) return false;
  if (spec.deletionPolicy === 'Delete' || isSkipped(resource)) return false;
  if (spec.deletionPolicy === 'Retain' || !spec.backup) return true;
  return staysUp(resource);
}

/** What its backups said of its departure. */
function saidOf({ status }: DatabaseResource) {
  return status?.conditions?.find(({ type }) => type === deletable);
}

function isSkipped({ metadata }: DatabaseResource): boolean {
  return metadata.annotations?.[skipAnnotation] === 'true';
}
