import type { Stores } from '../cache/stores.js';
import { resourceIn } from '../cache/unconfirmed-writes.js';
import type { ControllerContext } from '../context/reconcile-context.js';
import type { Controller } from '../controller/controller.js';
import { type CustomResource, runtimeStatusOf } from '../controller/custom-resource.js';
import { hasFinalizer, isReleased } from '../controller/finalization.js';
import { isSame } from '../kubernetes/equality.js';
import { isDeleting, keyOf, type LiveObject } from '../kubernetes/object.js';
import { isPartial } from '../kubernetes/partial-metadata.js';
import type { Assessed, ReconciledState } from '../memory/reconciled-state.js';
import { nothingAsked } from '../observe/external-answers.js';
import { nothingRead } from '../observe/referenced-objects.js';
import { callAssess } from '../status/assess.js';

/**
 * Whether a pass would find nothing new: what is desired is there, and of how far it got there is nothing to say that the
 * status does not say. Of the many changes of status of which every rollout is full that is true of nearly all, so it is
 * found out at once, without what a pass that may write takes.
 */
export function isUnchanged(
  resource: CustomResource,
  controllerContext: ControllerContext & { readonly reconciledState: ReconciledState },
): boolean {
  const { controller, reconciledState, stores } = controllerContext;
  const told = reconciledState.told(resource);
  if (!told || isDeleting(resource) || !reconciledState.isSettled(resource)) return false;
  if (told.versions === reconciledState.versions(resource, told.dependencies)) return true;
  // What it refers to or gathers may have to be asked for, and what is in doubt has to be.
  const asks = Object.keys({ ...controller.reads, ...controller.polls }).length > 0;
  if (asks || stores.unconfirmedWrites.of(resourceIn(controller.name, keyOf(resource.metadata))).length > 0)
    return false;
  const found = judged(resource, controllerContext);
  if (!found || !isSame(found.assessment, told.assessment)) return false;
  reconciledState.tell(resource, found);
  return true;
}

function judged(resource: CustomResource, controllerContext: ControllerContext): Assessed | undefined {
  try {
    return callAssess(
      resource,
      { ...controllerContext, reads: nothingRead, external: nothingAsked },
      { accepted: true },
    );
  } catch {
    return undefined; // the pass will meet the same, and tell
  }
}

/** True of a resource that a controller is there for, or of which it has made or said something that is to go. */
export function isRelevant(
  resource: CustomResource,
  { controller, stores }: { readonly controller: Controller; readonly stores: Stores },
): boolean {
  const { filter } = controller;
  // Of one that is kept in part nobody can tell: its pass says why.
  if (!filter || isPartial(resource) || hasFinalizer(resource, controller)) return true;
  try {
    if (filter(resource)) return true;
  } catch {
    return true; // its pass meets the same, and tells
  }
  return says(resource, controller) || stores.hasOwned(resource, controller);
}

/** Asked of every event, of each controller that leads nothing: without a list of anything. */
function says(resource: CustomResource, { share }: Controller): boolean {
  const status = runtimeStatusOf(resource);
  for (const field in status) if (field !== 'conditions' && share.fields.has(field)) return true;
  for (const { type } of status.conditions ?? []) if (share.conditions.has(type)) return true;
  return false;
}

/** Somebody waits for what comes of it: the spec is another, or the resource is to go, or to be let go. */
export function isSpecChange(before: LiveObject | undefined, after: LiveObject | undefined): boolean {
  if (!before || !after) return true;
  if (before.metadata.generation !== after.metadata.generation) return true;
  return isDeleting(before) !== isDeleting(after) || isReleased(before) !== isReleased(after);
}
