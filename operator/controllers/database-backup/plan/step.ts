import type { WorkerTask } from '../../../../src/index.js';
import type { conditions } from '../conditions.js';
import type { Situation } from '../situation.js';

/**
 * The next step of a backup:
 * - `work`: run a worker.
 * - `wait`: wait for a change, or for the time `until`.
 * - `rest`: do nothing, because the backup is done.
 */
export type Step =
  | { readonly does: 'work'; readonly task: WorkerTask; readonly attempt: number }
  | { readonly does: 'wait'; readonly why: Wait; readonly until?: number }
  | { readonly does: 'rest' };

/** Causes for which a backup waits. */
export type Wait = Exclude<keyof (typeof conditions)['Completed'], 'Completed' | 'Expired' | 'Running' | 'Failed'>;

/** Maximum number of attempts of a backup. The final backup of a Database is retried until the Database gives it up. */
export const mostAttempts = 3;
/** Milliseconds between attempts, doubled each time up to the maximum. */
const firstPause = 15_000;
const longestPause = 300_000;

/** The next attempt of a task, once the pause after the last attempt has passed. */
export function attemptAt(task: WorkerTask, { backup, now }: Situation): Step {
  const { attempts = 0, tried } = backup.status ?? {};
  const until = tried === undefined || attempts === 0 ? 0 : Date.parse(tried) + pauseAfter(attempts);
  return until > now ? { does: 'wait', why: 'Retrying', until } : { does: 'work', task, attempt: attempts + 1 };
}

function pauseAfter(attempts: number): number {
  return Math.min(longestPause, firstPause * 2 ** (attempts - 1));
}
