import { type Finding, findings, readiness } from './conditions.js';
import type { Assessment, Controller } from './controller.js';

/** What a pass came to, beside what the controller makes of it. */
export interface Result {
  /** Why the spec was rejected. */
  readonly rejected?: { readonly reason: string; readonly message: string } | undefined;
  /** Sentences on objects that are somebody else's. */
  readonly conflicts: readonly string[];
  /** Sentences on objects that must go before they can be made again. */
  readonly leaving: readonly string[];
}

/** All that a pass has to say, in the order of the status. */
export function verdict(controller: Controller, { conditions }: Assessment, result: Result): Finding[] {
  const { rejected, conflicts, leaving } = result;
  const accepted: Finding = rejected
    ? // Field by field: of an Error a spread takes the name along and leaves the message behind.
      { type: 'Accepted', status: 'False', reason: rejected.reason, message: rejected.message }
    : { type: 'Accepted', status: 'True', reason: 'Valid', message: 'the spec can be carried out' };
  const found = [accepted, ...findings(controller.conditions, conditions)];
  const counted = Object.keys(controller.conditions).filter((type) => !controller.informs.includes(type));

  if (conflicts.length > 0) {
    const why = { reason: 'NotOurs', message: sentences(conflicts) };
    const conflict: Finding = { type: 'Conflict', status: 'True', ...why };
    return [...found, ...concluded({ type: 'Ready', status: 'False', ...why }, true), conflict];
  }
  if (leaving.length > 0) {
    const why = { reason: 'Replacing', message: sentences(leaving) };
    return [...found, ...concluded({ type: 'Ready', status: 'Unknown', ...why }, false)];
  }
  return [...found, ...concluded(readiness(['Accepted', ...counted], found), rejected !== undefined)];
}

/**
 * `Ready`, and what tells tools that know no kind whether to wait or to call somebody.
 * @see https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md
 */
export function concluded(ready: Finding, stalled: boolean): Finding[] {
  const { reason, message } = ready;
  if (stalled) return [ready, { type: 'Stalled', status: 'True', reason, message }];
  if (ready.status === 'Unknown') return [ready, { type: 'Reconciling', status: 'True', reason, message }];
  return [ready];
}

function sentences(list: readonly string[]): string {
  return list.toSorted().join('; ');
}
