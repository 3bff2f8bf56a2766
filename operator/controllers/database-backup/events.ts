import type { DatabaseBackupResource } from '../../../imports/index.js';
import type { ResourceEvent } from '../../runtime/index.js';
import type { Step } from './plan/index.js';
import type { BackupRecord } from './record.js';

/** The events of one reconcile. @param step the step before the record was updated @param after the updated record */
export function eventsOf(backup: DatabaseBackupResource, step: Step, after: BackupRecord): readonly ResourceEvent[] {
  return [...results(backup, after), ...retries(backup, step, after)];
}

/** Events for a completed backup and for a failed verification, once each. */
function results({ metadata, status: before }: DatabaseBackupResource, after: BackupRecord): readonly ResourceEvent[] {
  const events: ResourceEvent[] = [];
  if (before?.label === undefined && after.label !== undefined)
    events.push({
      type: 'Normal',
      reason: 'BackupCompleted',
      note: `Stored backup ${metadata.name} in the archive as ${after.label}`,
    });
  const result = after.verified?.result;
  if (result === 'RestoreFailed' && before?.verified?.result !== 'RestoreFailed')
    events.push({
      type: 'Warning',
      reason: 'BackupRestoreFailed',
      note: `Failed to restore backup ${metadata.name}: ${after.verified?.message ?? 'the backup is damaged'}`,
    });
  return events;
}

/** The tasks of a worker, for event notes. */
const tasks = {
  make: 'create it',
  verify: 'verify it',
  expire: 'remove it from the archive',
  close: 'archive the end of the log',
} as const;

/**
 * Reports a failed attempt that is retried, because the status shows it for seconds only. `Completed` reports the last.
 */
function retries(
  { metadata, status: before }: DatabaseBackupResource,
  step: Step,
  { attempts = 0, problem, state }: BackupRecord,
): readonly ResourceEvent[] {
  if (step.does !== 'work' || attempts <= (before?.attempts ?? 0) || state === 'Failed') return [];
  const tried = `attempt ${attempts} to ${tasks[step.task]} failed and is retried`;
  return [{ type: 'Warning', reason: 'BackupRetried', note: `Backup ${metadata.name}: ${tried}: ${problem}` }];
}
