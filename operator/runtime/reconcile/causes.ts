import type { Change } from '../cache/listeners.js';
import type { Cause } from '../concurrency/work-queue.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import { keyOf } from '../kubernetes/object.js';
import { noSpan, type Telemetry } from '../ports/telemetry.js';

/** The causes of reconciles that no change of an object causes. */
export const causes = {
  timer: 'timer',
  retry: 'retry of a failure',
  start: 'start of the operator',
  synced: 'synced caches',
  served: 'served kinds',
  answer: 'answer of an external source',
  call: 'external call',
  edited: 'edit during the reconcile',
} as const satisfies Readonly<Record<string, Cause>>;

/** The changed object, or the edit of a resource: `Deployment team/web`, `edit of generation 4`. */
export function causeOf({ kind }: ObjectKind, { before, after }: Change, isEdit = false): Cause | undefined {
  const object = after ?? before;
  if (!object) return undefined;
  return isEdit ? `edit of generation ${object.metadata.generation ?? 0}` : `${kind} ${keyOf(object.metadata)}`;
}

/** Whether anything reports causes: only spans do. */
export function isTraced({ telemetry }: { readonly telemetry: Telemetry }): boolean {
  return telemetry.span !== noSpan;
}
