import type { DatabaseBackupResource, DatabaseBackupStatus } from '../../../imports/index.js';
import { type Assessment, isStoredAlike, type Outcome } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { eventsOf } from './events.js';
import { expiryOf } from './expiry.js';
import { closedOf } from './findings/closed.js';
import { completedOf } from './findings/completed.js';
import { verifiedOf } from './findings/verified.js';
import { type Step, stepOf } from './plan/index.js';
import { recordOf } from './record.js';
import { isExpired, type Situation, situationOf } from './situation.js';
import type { BackupView } from './view.js';

/** Milliseconds: requeues at once, because the next step follows from the status that this reconcile writes. */
const atOnce = 1;

/** Reports the progress of a backup, and records the results of its workers before their Pods are deleted. */
export function assess(
  view: BackupView & Pick<Outcome, 'blocker'>,
): Assessment<DatabaseBackupResource, typeof conditions> {
  const { blocker } = view;
  const before = situationOf(view);
  const stepBefore = stepOf(before);
  const record = recordOf(before, stepBefore);
  const status = { ...before.backup.status, ...record } as DatabaseBackupStatus;
  const situation = { ...before, backup: { ...before.backup, status } };
  const step = stepOf(situation);
  const hasMoved = !isStoredAlike(step, stepBefore);
  return {
    conditions: {
      Completed: completedOf(situation, step, blocker),
      Verified: verifiedOf(situation, step),
      Closed: closedOf(situation, step, blocker),
    },
    status: { ...record, state: stateOf(situation, step), ...expiryOf(situation) },
    events: eventsOf(before.backup, stepBefore, record),
    ...requeueOf(step, hasMoved, situation.now),
  };
}

function requeueOf(step: Step, hasMoved: boolean, now: number): { readonly requeueAfter?: number } {
  if (hasMoved) return { requeueAfter: atOnce };
  return step.does === 'wait' && step.until !== undefined ? { requeueAfter: Math.max(atOnce, step.until - now) } : {};
}

function stateOf(situation: Situation, step: Step): NonNullable<DatabaseBackupStatus['state']> {
  const { label, state, verified } = situation.backup.status ?? {};
  if (isExpired(situation)) return 'Expired';
  if (label !== undefined) return verified?.result === 'RestoreSucceeded' ? 'Verified' : 'Completed';
  if (state === 'Failed' || (step.does === 'wait' && step.why === 'Cancelled')) return 'Failed';
  return step.does === 'work' ? 'Running' : 'Pending';
}
