import type { ControllerContext, ReconcileContext } from '../context/reconcile-context.js';
import type { Blocker } from '../controller/blocker.js';
import { acceptanceOf, type CustomResource } from '../controller/custom-resource.js';
import { finalizerOf } from '../kubernetes/well-known-names.js';
import { observe } from '../observe/observe.js';
import { assertWhole, type Part } from '../observe/partial-objects.js';
import type { Result } from '../status/status-summary.js';
import { updateStatus } from '../status/update-status.js';

/** Milliseconds: whatever is done about it is told. */
const requeueAfter = 600_000;

/** True of a resource that a finalizer holds which has its controller's name, though the controller undoes nothing. */
export function isStaleFinalizer({ controller, owner }: Pick<ReconcileContext, 'controller' | 'owner'>): boolean {
  return controller.isPrimary && owner.metadata.finalizers?.includes(finalizerOf(controller.name)) === true;
}

/**
 * Says so of a resource that is being deleted. An earlier version of the controller, or somebody, has put it on: what that
 * was to undo only a person can know, so it is not taken off.
 */
export async function reportStaleFinalizer(
  applying: ReconcileContext,
  place: ControllerContext,
  parts: readonly Part[],
): Promise<number | undefined> {
  assertWhole(parts, undefined);
  const { controller, owner, signal } = applying;
  const message =
    `the finalizer ${finalizerOf(controller.name)} holds it, for which the controller has nothing to undo: an earlier version of it, or ` +
    'somebody, has put it on; see that nothing is left to undo, and take it off';
  const blocker: Blocker = { reason: 'StaleFinalizer', message, requeueAfter };
  return updateStatus(applying, await observe(owner, place, { signal }), {
    blockers: [blocker],
    rejected: rejectionOf(owner),
  });
}

/** What was said last of its spec: nothing is rendered any more, which would tell. */
function rejectionOf(owner: CustomResource): Result['rejected'] {
  const accepted = acceptanceOf(owner);
  return accepted?.status === 'False' ? accepted : undefined;
}
