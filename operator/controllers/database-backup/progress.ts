import type { WorkerTask } from '../../../src/index.js';
import type { conditions } from './conditions.js';
import { isInArchive, type Situation, verifyAnnotation } from './situation.js';

/**
 * The next action for a backup:
 * - `work`: run a worker.
 * - `wait`: wait for a change, or for the time `until`.
 * - `rest`: do nothing, because the backup is done.
 */
export type NextAction =
  | { readonly does: 'work'; readonly task: WorkerTask; readonly attempt: number }
  | { readonly does: 'wait'; readonly why: Why; readonly until?: number }
  | { readonly does: 'rest' };
type Why = Exclude<keyof (typeof conditions)['Completed'], 'Completed' | 'Expired' | 'Running' | 'Failed'>;

/** Maximum number of attempts of a backup. The final backup of a Database is retried until the Database gives it up. */
export const mostTries = 3;
/** Milliseconds between attempts, doubled each time up to the maximum. */
const firstPause = 15_000;
const longestPause = 300_000;

export function nextActionOf(situation: Situation): NextAction {
  const { backup } = situation;
  if (backup.metadata.deletionTimestamp) return leaving(situation);
  if (backup.status?.label === undefined) return making(situation);
  if (isToBeVerified(situation)) return trying('verify', situation);
  return closedBy(situation) === undefined ? { does: 'rest' } : trying('close', situation);
}

/** Also removes the backup from the archive, unless the archive is retained for later restores. */
function leaving(situation: Situation): NextAction {
  const { backup, database, isReachable } = situation;
  const isKept = isReachable && database?.metadata.deletionTimestamp === undefined;
  return isInArchive(backup) && isKept ? trying('expire', situation) : { does: 'rest' };
}

function making(situation: Situation): NextAction {
  const { backup, database, before, works } = situation;
  if (backup.status?.state === 'Failed') return { does: 'rest' };
  if (!database) return { does: 'wait', why: 'DatabaseNotFound' };
  if (!database.spec.backup) return { does: 'wait', why: 'NoBackupTarget' };
  if (database.metadata.deletionTimestamp && backup.spec.origin !== 'Snapshot')
    return { does: 'wait', why: 'Cancelled' };
  if (before) return { does: 'wait', why: 'Pending' };
  const isBegun = works.some(({ task }) => task === 'make');
  if (!isBegun && database.status?.primary === undefined) return { does: 'wait', why: 'DatabaseNotReady' };
  return trying('make', situation);
}

function trying(task: WorkerTask, { backup, now }: Situation): NextAction {
  const { attempts = 0, tried } = backup.status ?? {};
  const until = tried === undefined || attempts === 0 ? 0 : Date.parse(tried) + pauseAfter(attempts);
  return until > now ? { does: 'wait', why: 'Retrying', until } : { does: 'work', task, attempt: attempts + 1 };
}

function pauseAfter(attempts: number): number {
  return Math.min(longestPause, firstPause * 2 ** (attempts - 1));
}

/** True if verification is requested and has no result yet. */
function isToBeVerified({ backup, isReachable, isOutdated }: Situation): boolean {
  return isReachable && !isOutdated && wantsVerification(backup) && backup.status?.verified?.result === undefined;
}

/** The stopped instance with the volume that has the end of the log, while the final backup still needs it. */
export function closedBy({ backup, database, isReachable }: Situation): string | undefined {
  const { snapshot, closing } = database?.status ?? {};
  const isAsked = snapshot?.state === 'Closing' && snapshot.name === backup.metadata.name;
  const isDone = backup.status?.closed !== undefined;
  return isAsked && isReachable && database?.metadata.deletionTimestamp && !isDone ? closing : undefined;
}

/** True if verification is requested: by an annotation, or because this is the final backup. */
export function wantsVerification({ metadata, spec }: Situation['backup']): boolean {
  return spec.origin === 'Snapshot' || metadata.annotations?.[verifyAnnotation] === 'true';
}
