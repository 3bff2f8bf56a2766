import { isGood } from '../../deletion/departure.js';
import type { Situation } from '../situation.js';
import type { ConditionMark } from './condition-mark.js';

/** Whether the last verified backup could be restored. */
export function verifiedOf({ complete, resource }: Situation): ConditionMark<'Verified'> | undefined {
  const judged = complete.findLast(({ status }) => status?.verified?.result !== undefined);
  const message = judged?.status?.verified?.message;
  if (judged && !isGood(judged)) {
    const why = message === undefined ? '' : `: ${message}`;
    return { reason: 'RestoreFailed', message: `Backup ${judged.metadata.name} cannot be restored${why}` };
  }
  if (judged) return { reason: 'RestoreSucceeded' };
  return resource.spec.backup?.verify === 'Never' ? undefined : { reason: 'Pending' };
}
