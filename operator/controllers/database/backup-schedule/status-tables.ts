import type { DatabaseResource, DatabaseStatusSnapshot } from '../../../../imports/index.js';
import { type Cell, conditionOf, lengthOf, relativeTime, type Shown, type Table } from '../../../runtime/index.js';
import { nextDue } from '../../../schedule/schedule.js';

/** The age of the backups, the delay of the archive, and the final backup of a Database that is being deleted. */
export function statusTables({ resource, now }: Shown<DatabaseResource>): readonly Table[] {
  const { backup, snapshot } = resource.status ?? {};
  if (!resource.spec.backup) return [];
  const row = {
    'LAST BACKUP': relativeTime(backup?.last, now),
    'LAST VERIFIED': relativeTime(backup?.lastVerified, now),
    'NEXT BACKUP': nextText(resource, now),
    'RESTORABLE SINCE': relativeTime(backup?.firstRecoverable, now),
    'ARCHIVE DELAY': delayText(resource, now),
  };
  const last = snapshot && { title: 'Final backup', rows: [snapshotRow(snapshot, now)] };
  return [{ title: 'Backups', rows: [row] }, ...(last ? [last] : [])];
}

/** A Database that is being deleted gets only its final backup. */
function nextText({ metadata, spec }: DatabaseResource, now: number): Cell {
  const next = spec.backup && !metadata.deletionTimestamp ? nextDue(spec.backup.schedule, now) : undefined;
  return next === undefined ? undefined : `in ${lengthOf(next - now)}`;
}

/** `Archived` reports a delay of 5 minutes. Undefined if nothing is known of the archive. */
function delayText(resource: DatabaseResource, now: number): Cell {
  const { unarchivedSince } = resource.status ?? {};
  if (unarchivedSince !== undefined) return lengthOf(Math.max(0, now - Date.parse(unarchivedSince)));
  return conditionOf(resource, 'Archived')?.reason === 'Archiving' ? '< 5m' : undefined;
}

function snapshotRow(
  { name, state, started, finished, verified, deadline, problem }: DatabaseStatusSnapshot,
  now: number,
) {
  return {
    BACKUP: name,
    STATE: state,
    STARTED: relativeTime(started, now),
    FINISHED: relativeTime(finished, now),
    VERIFIED: relativeTime(verified, now),
    DEADLINE: relativeTime(deadline, now),
    PROBLEM: problem,
  };
}
