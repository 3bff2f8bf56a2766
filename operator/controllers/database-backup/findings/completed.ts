import type { Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { Step } from '../plan/index.js';
import { isExpired, type Situation } from '../situation.js';
import { withProblem, workerMessage } from './worker-message.js';

/** Whether the backup is in the archive. @param blocker why the API server refuses the Pod of the worker */
export function completedOf(
  situation: Situation,
  step: Step,
  blocker: string | undefined,
): Mark<keyof (typeof conditions)['Completed']> {
  const { backup, before } = situation;
  const { label, problem, state } = backup.status ?? {};
  if (label !== undefined) return { reason: isExpired(situation) ? 'Expired' : 'Completed' };
  if (state === 'Failed') return { reason: 'Failed', ...(problem && { message: `The backup failed: ${problem}` }) };
  if (step.does === 'wait') {
    if (step.why === 'Retrying') return { reason: 'Retrying', ...withProblem('The last attempt failed', problem) };
    if (step.why === 'Pending') return { reason: 'Pending', message: `Backup ${before?.metadata.name} runs first` };
    return { reason: step.why };
  }
  const message = workerMessage(situation, blocker);
  return { reason: 'Running', ...(message !== undefined && { message }) };
}
