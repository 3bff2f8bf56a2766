import { type Blocker, blockerSummary } from '../controller/blocker.js';
import { type Finding, findings, readiness } from '../controller/conditions.js';
import type { Assessment, Controller } from '../controller/controller.js';

/** What a pass came to, beside what the controller makes of it. */
export interface Result {
  /** Why the spec was rejected. */
  readonly rejected?: { readonly reason: string; readonly message: string } | undefined;
  /** Objects that were left as they are. */
  readonly blockers: readonly Blocker[];
  /** Of a resource that is being deleted: what it waits for. */
  readonly departing?: string;
}

/** All that a pass has to say, in the order of the status. */
export function statusSummary(controller: Controller, { conditions }: Assessment, result: Result): Finding[] {
  const { rejected, blockers, departing } = result;
  const own = findings(controller.conditions, conditions);
  if (!controller.isPrimary) return own;
  const found = [rejected ? refusedBy(rejected) : accepted, ...own];
  const counted = Object.keys(controller.conditions).filter(
    (type) => !controller.informationalConditions.includes(type),
  );

  const stop = blockerSummary(blockers);
  if (stop) return [...found, ...concluded(stop.ready, stop.stalled), ...stop.conditions];
  const met = readiness(['Accepted', ...counted], found);
  const ready = departing === undefined || rejected ? met : deleting(departing, met);
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

/** What goes is ready for nobody, however well it serves until then, and what it lacks may be what was undone already. */
function deleting(departing: string, { status, message: worst }: Finding): Finding {
  const message = status === 'False' ? `${departing}; ${worst}` : departing;
  return { type: 'Ready', status: 'Unknown', reason: 'Terminating', message };
}

/** Field by field: of an Error a spread takes the name along and leaves the message behind. */
export function refusedBy({ reason, message }: { reason: string; message: string }): Finding {
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
