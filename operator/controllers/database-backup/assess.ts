import type { DatabaseBackupResource, DatabaseBackupStatus } from '../../../imports/index.js';
import { type Assessment, isStoredAlike, type Mark, type Outcome } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { expiryOf } from './expiry.js';
import { closedBy, type NextAction, nextActionOf, wantsVerification } from './progress.js';
import { type BackupRecord, recordOf } from './record.js';
import { hindranceOf } from './result.js';
import { type BackupFacts, type Situation, situationOf } from './situation.js';

type Vocabulary = typeof conditions;
type Reason<Type extends keyof Vocabulary> = Mark<Extract<keyof Vocabulary[Type], string>>;

/** The situation, and why the API server refuses the Pod of the worker. */
type Hindered = Situation & Pick<Outcome, 'blocker'>;

/** Milliseconds: requeues at once, because the next step follows from the status that this reconcile writes. */
const atOnce = 1;

/** Reports the progress of a backup, and records the results of its workers before their Pods are deleted. */
export function assess(facts: BackupFacts & Pick<Outcome, 'blocker'>): Assessment<DatabaseBackupResource, Vocabulary> {
  const situation = { ...situationOf(facts), blocker: facts.blocker };
  const before = nextActionOf(situation);
  const recorded = recordOf(situation, before);
  const status = { ...situation.backup.status, ...recorded } as DatabaseBackupStatus;
  const backup = { ...situation.backup, status };
  const after = { ...situation, backup };
  const course = nextActionOf(after);
  const hasMoved = !isStoredAlike(course, before);
  return {
    conditions: {
      Completed: madeOf(after, course),
      Verified: verifiedOf(after, course),
      Closed: closedOf(after, course),
    },
    status: { ...recorded, state: stateOf(after, course), ...expiryOf(after) },
    events: [...storyOf(situation.backup, status), ...failuresIn(situation.backup, before, status)],
    ...recheckOf(course, hasMoved, situation.now),
  };
}

function recheckOf(course: NextAction, hasMoved: boolean, now: number): { readonly requeueAfter?: number } {
  if (hasMoved) return { requeueAfter: atOnce };
  return course.does === 'wait' && course.until !== undefined
    ? { requeueAfter: Math.max(atOnce, course.until - now) }
    : {};
}

function stateOf({ backup, isOutdated }: Situation, course: NextAction): NonNullable<DatabaseBackupStatus['state']> {
  const { label, state, verified } = backup.status ?? {};
  if (state === 'Expired' || (label !== undefined && isOutdated)) return 'Expired';
  if (label !== undefined) return verified?.result === 'RestoreSucceeded' ? 'Verified' : 'Completed';
  if (state === 'Failed' || (course.does === 'wait' && course.why === 'Cancelled')) return 'Failed';
  return course.does === 'work' ? 'Running' : 'Pending';
}

function madeOf(situation: Hindered, course: NextAction): Reason<'Completed'> {
  const { backup, before } = situation;
  const { label, problem, state } = backup.status ?? {};
  if (label !== undefined) return { reason: stateOf(situation, course) === 'Expired' ? 'Expired' : 'Completed' };
  if (state === 'Failed') return { reason: 'Failed', ...(problem && { message: `The backup failed: ${problem}` }) };
  if (course.does === 'wait') {
    if (course.why === 'Retrying') return { reason: 'Retrying', ...told('The last attempt failed', problem) };
    if (course.why === 'Pending') return { reason: 'Pending', message: `Backup ${before?.metadata.name} runs first` };
    return { reason: course.why };
  }
  return running(situation);
}

function running({ works, backup, blocker }: Hindered): Mark<'Running'> {
  const { attempts = 0, problem } = backup.status ?? {};
  const hindrance = works.map(({ pod }) => hindranceOf(pod)).find((why) => why !== undefined) ?? blocker;
  if (hindrance) return { reason: 'Running', message: `The worker does not run yet: ${hindrance}` };
  return {
    reason: 'Running',
    ...(attempts > 0 && told(`Attempt ${attempts + 1} is running; the previous attempt failed`, problem)),
  };
}

function verifiedOf({ backup }: Situation, course: NextAction): Reason<'Verified'> | undefined {
  const { label, verified, problem } = backup.status ?? {};
  const message = verified?.message;
  if (verified?.result) return { reason: verified.result, ...(message !== undefined && { message }) };
  if (!wantsVerification(backup) || course.does === 'rest') return undefined;
  if (label === undefined) return { reason: 'Pending' };
  if (course.does === 'wait') return { reason: 'Retrying', ...told('Verification could not complete', problem) };
  return { reason: 'Running' };
}

function closedOf(situation: Hindered, course: NextAction): Reason<'Closed'> | undefined {
  const { closed, problem } = situation.backup.status ?? {};
  if (closed !== undefined) return { reason: 'Completed' };
  if (closedBy(situation) === undefined || course.does === 'rest') return undefined;
  if (course.does === 'work') {
    const { message } = running(situation);
    return message === undefined ? { reason: 'Running' } : { reason: 'WorkerNotReady', message };
  }
  return { reason: 'Retrying', ...told('The end of the log could not be archived', problem) };
}

function told(what: string, problem: string | undefined): { message?: string } {
  return problem === undefined ? {} : { message: `${what}: ${problem}` };
}

/** Events for a completed backup and for a failed verification, once each. */
function storyOf({ metadata, status: before }: DatabaseBackupResource, after: BackupRecord) {
  const events: { type: 'Normal' | 'Warning'; reason: string; note: string }[] = [];
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
const acts = {
  make: 'create it',
  verify: 'verify it',
  expire: 'remove it from the archive',
  close: 'archive the end of the log',
} as const;

/**
 * Reports a failed attempt that is retried, because the status shows it for seconds only. `Completed` reports the last.
 */
function failuresIn({ metadata, status: before }: DatabaseBackupResource, course: NextAction, after: BackupRecord) {
  const { attempts = 0, problem, state } = after;
  if (course.does !== 'work' || attempts <= (before?.attempts ?? 0) || state === 'Failed') return [];
  const tried = `attempt ${attempts} to ${acts[course.task]} failed and is retried`;
  return [{ type: 'Warning' as const, reason: 'BackupRetried', note: `Backup ${metadata.name}: ${tried}: ${problem}` }];
}
