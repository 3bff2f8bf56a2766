import { apply } from '../apply/apply.js';
import type { Kept } from '../cache/stores.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { type Blocker, stopsPruning } from '../controller/blocker.js';
import { hasFinalizer } from '../controller/finalization.js';
import { cleanUp } from '../deletion/cleanup.js';
import { addFinalizer } from '../deletion/finalizer.js';
import { keyOf } from '../kubernetes/object.js';
import type { Held } from '../status/assess.js';
import type { Plan } from './desire.js';

/** How far the objects of a resource match its plan. */
export interface Applied {
  /** Why objects differ from their desired state. */
  readonly blockers: readonly Blocker[];
  /** Owned objects that still exist and are no longer desired. */
  readonly left: readonly Kept[];
  /** Those of them that stay because something is not known. */
  readonly held: readonly Held[];
  /** True if every desired object exists, and no other owned object does. */
  readonly isComplete: boolean;
}

const nothing: Applied = { blockers: [], left: [], held: [], isComplete: false };

/**
 * The finalizer precedes the first call. If this reconcile added it over the observed version, no earlier process can have
 * sent a call.
 */
function noteFirst({ callers, controller, resource, stores }: ReconcileContext): void {
  if (!callers || !controller.finalizes || hasFinalizer(resource, controller)) return;
  const key = keyOf(resource.metadata);
  const now = stores.of(controller.kind).get(key);
  const { uid } = resource.metadata;
  if (now?.metadata.uid === uid && hasFinalizer(now, controller)) callers.noteFirst({ key, uid });
}

/**
 * The third stage of a reconcile: creates and updates the desired objects, wave by wave, and then prunes the others.
 * The finalizer and the inventory are written before the first object.
 */
export async function applyPlan(
  context: ReconcileContext,
  { desired, keeps }: Pick<Plan, 'desired' | 'keeps'>,
): Promise<Applied> {
  if (!desired) return nothing;
  const { controller, resource, stores } = context;
  const inventory = await addFinalizer(desired, context);
  noteFirst(context);
  const blockers = await apply(desired, context);
  if (blockers.some(stopsPruning))
    return { blockers, left: stores.ownedBy(resource, controller), held: [], isComplete: false };
  const { left, held } = await cleanUp(context, { inventory, desired, keeps });
  return { blockers, left, held, isComplete: blockers.length === 0 && left.length === 0 };
}
