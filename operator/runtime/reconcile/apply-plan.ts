import { apply, pendingChanges } from '../apply/apply.js';
import type { Kept } from '../cache/stores.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { type Blocker, stopsPruning } from '../controller/blocker.js';
import { hasFinalizer } from '../controller/finalization.js';
import { cleanUp } from '../deletion/cleanup.js';
import { addFinalizer } from '../deletion/finalizer.js';
import { shownRemains } from '../deletion/remains.js';
import { isDeleting, keyOf } from '../kubernetes/object.js';
import { isPaused } from '../kubernetes/pause.js';
import { type Desired, describe } from '../rendering/render.js';
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
  /** What is not as desired and stays so, because the resource is paused, for people. @default [] */
  readonly pending?: readonly string[];
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
 * The finalizer and the inventory are written before the first object. For a paused resource nothing is sent.
 */
export async function applyPlan(
  context: ReconcileContext,
  { desired, keeps, calls }: Pick<Plan, 'desired' | 'keeps' | 'calls'>,
): Promise<Applied> {
  if (!desired) return nothing;
  if (!isPaused(context.resource)) return applyAll(context, { desired, keeps });
  return whilePaused(context, { desired, keeps, calls });
}

async function applyAll(
  context: ReconcileContext,
  { desired, keeps }: Pick<Plan, 'keeps'> & { readonly desired: readonly Desired[] },
): Promise<Applied> {
  const { controller, resource, stores } = context;
  const inventory = await addFinalizer(desired, context);
  noteFirst(context);
  const blockers = await apply(desired, context);
  if (blockers.some(stopsPruning))
    return { blockers, left: stores.ownedBy(resource, controller), held: [], isComplete: false };
  const { left, held } = await cleanUp(context, { inventory, desired, keeps });
  return { blockers, left, held, isComplete: blockers.length === 0 && left.length === 0 };
}

/** What would be created, changed, deleted and called. */
function whilePaused(
  context: ReconcileContext,
  { desired, keeps, calls = [] }: Pick<Plan, 'keeps' | 'calls'> & { readonly desired: readonly Desired[] },
): Applied {
  const { pending: changes, blockers } = pendingChanges(desired, context);
  const { held, loose } = shownRemains(context, { desired, keeps });
  const leaving = loose.filter(({ object }) => !isDeleting(object));
  const pending = [
    ...changes.map(describe),
    ...leaving.map(({ kind, object }) => `${kind.kind} ${object.metadata.name}, which is no longer desired`),
    ...calls.map(({ name }) => `external call ${name}`),
  ];
  const left = [...held, ...loose];
  const isComplete = blockers.length + left.length + pending.length === 0;
  return { blockers, left, held, isComplete, pending };
}
