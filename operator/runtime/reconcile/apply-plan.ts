import { apply } from '../apply/apply.js';
import type { Leftover } from '../apply/prune.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import type { Blocker } from '../controller/blocker.js';
import { addFinalizer, trimInventory } from '../deletion/add-finalizer.js';
import { cleanUp } from '../deletion/cleanup.js';
import { isDeleting } from '../kubernetes/object.js';
import type { Plan } from './desire.js';

/** How far the objects of a resource are as its plan wants them. */
export interface Applied {
  /** What keeps objects from being as desired. */
  readonly blockers: readonly Blocker[];
  /** Owned objects that are still there and no longer desired. */
  readonly left: readonly Leftover[];
  /** True when every desired object is there, and no other one. */
  readonly isComplete: boolean;
}

const nothing: Applied = { blockers: [], left: [], isComplete: false };

/**
 * The third stage of a reconcile: creates and updates what is desired, wave by wave, and then prunes what is not. The finalizer
 * and the inventory are there before the first object is.
 */
export async function applyPlan(context: ReconcileContext, { desired }: Pick<Plan, 'desired'>): Promise<Applied> {
  if (!desired) return nothing;
  const { controller, resource, stores } = context;
  const inventory = await addFinalizer(desired, context);
  const blockers = await apply(desired, context);
  if (blockers.length > 0) return { blockers, left: stores.ownedBy(resource, controller), isComplete: false };
  const left = await cleanUp(inventory, desired, context);
  const isUndone = isDeleting(resource) && desired.length + left.length === 0;
  // The finalizer of what is undone goes with the next write, and the inventory with it.
  if (!isUndone) await trimInventory(inventory, { desired, left }, context);
  return { blockers, left, isComplete: left.length === 0 };
}
