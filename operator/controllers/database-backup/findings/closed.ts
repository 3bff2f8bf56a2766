import type { Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { Step } from '../plan/index.js';
import { closedBy, type Situation } from '../situation.js';
import { withProblem, workerMessage } from './worker-message.js';

/**
 * Whether the archive has the end of the log. Undefined for a backup that does not archive it.
 * @param blocker why the API server refuses the Pod of the worker
 */
export function closedOf(
  situation: Situation,
  step: Step,
  blocker: string | undefined,
): Mark<keyof (typeof conditions)['Closed']> | undefined {
  const { closed, problem } = situation.backup.status ?? {};
  if (closed !== undefined) return { reason: 'Completed' };
  if (closedBy(situation) === undefined || step.does === 'rest') return undefined;
  if (step.does === 'work') {
    const message = workerMessage(situation, blocker);
    return message === undefined ? { reason: 'Running' } : { reason: 'WorkerNotReady', message };
  }
  return { reason: 'Retrying', ...withProblem('The end of the log could not be archived', problem) };
}
