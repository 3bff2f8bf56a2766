import { objectNames } from '../../../../../src/index.js';
import { lastDue } from '../../../../schedule/schedule.js';
import type { Situation } from '../situation.js';
import type { ConditionMark } from './condition-mark.js';
import { retainCommand } from './retain-command.js';

/** Whether a recent backup exists. */
export function backedUpOf(situation: Situation): ConditionMark<'BackedUp'> {
  const { complete, scheduled, resource, isArchiveGoing } = situation;
  if (isArchiveGoing) return { reason: 'ArchiveTerminating', message: goingAway(situation) };
  const last = scheduled.at(-1)?.status;
  if (last?.state === 'Failed') {
    const message = last.problem === undefined ? undefined : `The last backup failed: ${last.problem}`;
    return { reason: 'Failed', ...(message !== undefined && { message }) };
  }
  const newest = complete.at(-1)?.status?.finished;
  if (newest !== undefined) return { reason: isOverdue(situation, Date.parse(newest)) ? 'Overdue' : 'OnSchedule' };
  return { reason: resource.status?.primary === undefined ? 'Pending' : 'FirstBackupRunning' };
}

/** The deletion of a PVC is final, and its data exists for as long as its Pod. */
function goingAway({ name, archiveVolume }: Situation): string {
  const { repository } = objectNames(name);
  const first = archiveVolume === undefined ? '' : `to keep them, run ${retainCommand([archiveVolume])}; then `;
  return `PVC ${repository} is being deleted, and all backups are lost once the Pod ${repository} stops; ${first}delete that Pod, so that the operator recreates the Pod, the PVC and a backup`;
}

/** True if a due backup is missing although the next one is due too. */
function isOverdue({ resource, now }: Situation, newest: number): boolean {
  const { schedule = '' } = resource.spec.backup ?? {};
  const last = lastDue(schedule, { since: newest, now });
  return last !== undefined && lastDue(schedule, { since: newest, now: last - 1 }) !== undefined;
}
