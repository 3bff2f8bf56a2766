import type { DatabaseResource, DatabaseStatusBackup, DatabaseStatusSnapshot } from '../../../../imports/index.js';
import { timestampOf } from '../../../runtime/index.js';
import { type Departure, deadlineOf, isGood, lastOf } from '../deletion/departure.js';
import type { Situation } from './situation.js';

const states: Readonly<Record<Departure, NonNullable<DatabaseStatusSnapshot['state']>>> = {
  SnapshotNotNeeded: 'Skipped',
  SnapshotCompleted: 'Verified',
  Skipped: 'Skipped',
  Abandoned: 'Abandoned',
  ArchiveRetained: 'Skipped',
  VolumesDeleted: 'Failed',
  SnapshotRunning: 'Running',
  SnapshotVerifying: 'Completed',
  Closing: 'Completed',
  NamespaceTerminating: 'Failed',
  SnapshotFailed: 'Failed',
};

/** The final backup for the status. */
export function snapshotOf(
  { resource, snapshots, instances }: Situation,
  departure: Departure,
): DatabaseStatusSnapshot {
  const last = lastOf(snapshots);
  const { started, finished, verified, problem } = last?.status ?? {};
  const why = problem ?? (verified?.result === 'RestoreFailed' ? verified.message : undefined);
  const deadline = timestampOf(deadlineOf(resource));
  return {
    ...(last && { name: last.metadata.name }),
    state: departure === 'Closing' && instances.length === 0 ? 'Closing' : states[departure],
    ...(started !== undefined && { started }),
    ...(finished !== undefined && { finished }),
    ...(verified?.result === 'RestoreSucceeded' && verified.at !== undefined && { verified: verified.at }),
    deadline,
    ...(why !== undefined && { problem: why }),
  };
}

/**
 * A part of the status. It omits `backup` instead of writing it empty, because the API server rejects the resulting
 * null.
 */
export type Shown = { readonly backup?: DatabaseStatusBackup };

/** The backups for the status. */
export function backupOf(situation: Situation): Shown {
  const { complete } = situation;
  const newest = complete.at(-1)?.status;
  const asked = answeredOf(situation);
  if (!newest) return asked === undefined ? {} : { backup: { asked } };
  const lastVerified = complete.findLast(isGood)?.status?.finished;
  const backup = {
    ...(newest.finished !== undefined && { last: newest.finished }),
    ...(lastVerified !== undefined && { lastVerified }),
    ...(newest.firstRecoverable !== undefined && { firstRecoverable: newest.firstRecoverable }),
    ...(asked !== undefined && { asked }),
  };
  return { backup };
}

/** A namespace deletion removes the backups before their Database, while the archive still has them. */
export function rememberedWith({ backup }: Shown, { status }: DatabaseResource): Shown {
  const known = { ...status?.backup, ...backup };
  return Object.keys(known).length > 0 ? { backup: known } : {};
}

/** A request counts as answered once its backup exists, permanently. */
function answeredOf({ resource, asked, wish }: Situation): string | undefined {
  const isThere = asked.some(({ metadata }) => metadata.name === wish?.name);
  return isThere ? wish?.value : resource.status?.backup?.asked;
}
