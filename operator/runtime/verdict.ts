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
  const own = findings(controller.conditions, conditions);
  const found = [rejected ? refusedBy(rejected) : accepted, ...own];
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
  const ready = readiness(['Accepted', ...counted], found);
  const pending = own.find(({ type, status }) => counted.includes(type) && status === 'Unknown');
  return [...found, ...concluded(ready, rejected !== undefined, pending)];
}

/** Says of a spec that it can be carried out. */
export const accepted: Finding = {
  type: 'Accepted',
  status: 'True',
  reason: 'Valid',
  message: 'the spec can be carried out',
};

/** Field by field: of an Error a spread takes the name along and leaves the message behind. */
function refusedBy({ reason, message }: { reason: string; message: string }): Finding {
  return { type: 'Accepted', status: 'False', reason, message };
}

/**
 * `Ready`, and what tells tools that know no kind whether to wait or to call somebody.
 * @param pending what is still on its way, while something else is already bad
 * @see https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md
 */
export function concluded(ready: Finding, stalled: boolean, pending?: Finding): Finding[] {
  const { reason, message } = ready;
  if (stalled) return [ready, { type: 'Stalled', status: 'True', reason, message }];
  const waiting = ready.status === 'Unknown' ? ready : pending;
  if (!waiting) return [ready];
  return [ready, { type: 'Reconciling', status: 'True', reason: waiting.reason, message: waiting.message }];
}

function sentences(list: readonly string[]): string {
  return list.toSorted().join('; ');
}
