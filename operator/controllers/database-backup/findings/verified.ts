import type { Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { Step } from '../plan/index.js';
import { type Situation, wantsVerification } from '../situation.js';
import { withProblem } from './worker-message.js';

/** Whether the backup could be restored. Undefined if verification is not requested. */
export function verifiedOf(situation: Situation, step: Step): Mark<keyof (typeof conditions)['Verified']> | undefined {
  const { label, verified, problem } = situation.backup.status ?? {};
  const message = verified?.message;
  if (verified?.result) return { reason: verified.result, ...(message !== undefined && { message }) };
  if (!wantsVerification(situation) || step.does === 'rest') return undefined;
  if (label === undefined) return { reason: 'Pending' };
  if (step.does === 'wait') return { reason: 'Retrying', ...withProblem('Verification could not complete', problem) };
  return { reason: 'Running' };
}
