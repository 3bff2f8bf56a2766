import { isGone, type ReconcileContext } from '../context/reconcile-context.js';
import type { Blocker } from '../controller/blocker.js';
import { acceptanceOf, type CustomResource } from '../controller/custom-resource.js';
import { finalizerOf } from '../kubernetes/well-known-names.js';
import { observe } from '../observe/observe.js';
import { assertWhole } from '../observe/partial-objects.js';
import { assess } from '../status/assess.js';
import type { Result } from '../status/status-summary.js';
import { updateStatus } from '../status/update-status.js';

/** Milliseconds: whatever is done about it is told. */
const requeueAfter = 600_000;

/** True of a resource that a finalizer holds which has its controller's name, though the controller undoes nothing. */
function isStaleFinalizer({ controller, resource }: Pick<ReconcileContext, 'controller' | 'resource'>): boolean {
  return controller.isPrimary && resource.metadata.finalizers?.includes(finalizerOf(controller.name)) === true;
}

/**
 * Says so of a resource that is being deleted. An earlier version of the controller, or somebody, has put it on: what that
 * was to undo only a person can know, so it is not taken off.
 */
export async function reportStaleFinalizer(context: ReconcileContext): Promise<number | undefined> {
  const { controller, resource } = context;
  if (!isStaleFinalizer(context)) return undefined; // the garbage collector's business
  const observation = await observe(context);
  assertWhole(observation.partial ?? [], undefined);
  if (isGone(context)) return undefined;
  const message =
    `the finalizer ${finalizerOf(controller.name)} holds it, for which the controller has nothing to undo: an earlier version of it, or ` +
    'somebody, has put it on; see that nothing is left to undo, and take it off';
  const blocker: Blocker = { reason: 'StaleFinalizer', message, requeueAfter };
  const assessed = assess(context, { observation, rejected: rejectionOf(resource) }, { blockers: [blocker] });
  return updateStatus(context, { observation }, assessed);
}

/** What was said last of its spec: nothing is rendered any more, which would tell. */
function rejectionOf(resource: CustomResource): Result['rejected'] {
  const accepted = acceptanceOf(resource);
  return accepted?.status === 'False' ? accepted : undefined;
}
