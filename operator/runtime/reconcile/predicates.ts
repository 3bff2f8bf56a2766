import type { Stores } from '../cache/stores.js';
import { resourceIn } from '../cache/unconfirmed-writes.js';
import type { ControllerContext } from '../context/reconcile-context.js';
import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { hasFinalizer, isReleased, isSelected } from '../controller/finalization.js';
import { reportIn } from '../controller/owned-status.js';
import { noExternalAnswers } from '../external/external-answers.js';
import { isSame, isSameSpec } from '../kubernetes/equality.js';
import { isDeleting, keyOf, type LiveObject } from '../kubernetes/object.js';
import { isPartial } from '../kubernetes/partial-metadata.js';
import { isCommand } from '../kubernetes/pause.js';
import type { Assessed, ReconciledState } from '../memory/reconciled-state.js';
import { reportOf } from '../observe/observe.js';
import { nothingRead } from '../observe/referenced-objects.js';
import { callAssess } from '../status/assess.js';

/**
 * Whether a reconcile would change nothing: every desired object exists, and the status already reports how far they
 * got. That holds for most of the status changes of a rollout. So it is checked at once, without the cost of a
 * reconcile that may write.
 */
export function isUnchanged(
  resource: CustomResource,
  controllerContext: ControllerContext & { readonly reconciledState: ReconciledState },
): boolean {
  const { controller, reconciledState, stores } = controllerContext;
  const told = reconciledState.told(resource);
  if (!told || isDeleting(resource) || !reconciledState.isSettled(resource)) return false;
  if (told.versions === reconciledState.versions(resource, told.dependencies)) return true;
  // References and polls may require requests, and unconfirmed writes always do.
  const asks = told.dependencies.elsewhere && Object.keys({ ...controller.reads, ...controller.polls }).length > 0;
  if (asks || stores.unconfirmedWrites.of(resourceIn(controller.name, keyOf(resource.metadata))).length > 0)
    return false;
  const found = judged(resource, controllerContext);
  if (!found || !isSame(found.assessment, told.assessment)) return false;
  reconciledState.tell(resource, found);
  return true;
}

function judged(resource: CustomResource, controllerContext: ControllerContext): Assessed | undefined {
  try {
    const reported = reportOf({ ...controllerContext, resource });
    const observation = { ...controllerContext, reads: nothingRead, external: noExternalAnswers, reported };
    return callAssess(resource, observation, { accepted: true });
  } catch {
    return undefined; // the reconcile meets the same error and reports it
  }
}

/**
 * True if the controller is responsible for the resource, or has created or reported something for it that is to be
 * removed.
 */
export function isRelevant(
  resource: CustomResource,
  { controller, stores }: { readonly controller: Controller; readonly stores: Stores },
): boolean {
  const { secondaryFor, selects } = controller;
  // A resource that is kept only in part cannot be judged, and its reconcile reports why.
  if (!(secondaryFor ?? selects) || isPartial(resource) || hasFinalizer(resource, controller)) return true;
  try {
    if (secondaryFor ? secondaryFor(resource) : isSelected(controller, resource)) return true;
  } catch {
    return true; // the reconcile meets the same error and reports it
  }
  return says(resource, controller) || stores.hasOwned(resource, controller);
}

/** Runs for every event, for each controller that is not primary. It builds no lists. */
function says(resource: CustomResource, controller: Controller): boolean {
  const { ownedStatus } = controller;
  const status = reportIn(controller, resource);
  for (const field in status) if (field !== 'conditions' && ownedStatus.fields.has(field)) return true;
  for (const { type } of status.conditions ?? []) if (ownedStatus.conditions.has(type)) return true;
  return false;
}

/** A user waits for the result: the spec has changed, or the resource is to be deleted, released, paused, resumed or reconciled. */
export function isSpecChange(before: LiveObject | undefined, after: LiveObject | undefined): boolean {
  if (!before || !after) return true;
  if (!isSameSpec(before, after) || isCommand(before, after)) return true;
  return isDeleting(before) !== isDeleting(after) || isReleased(before) !== isReleased(after);
}
