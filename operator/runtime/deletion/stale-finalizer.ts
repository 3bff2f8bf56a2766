import { isGone, type ReconcileContext } from '../context/reconcile-context.js';
import type { Blocker } from '../controller/blocker.js';
import { conditionOf } from '../controller/conditions.js';
import { finalizerOf } from '../kubernetes/well-known-names.js';
import { observe } from '../observe/observe.js';
import { assertWhole } from '../observe/partial-objects.js';
import { assess } from '../status/assess.js';
import { reportOf } from '../status/report.js';
import type { Result } from '../status/status-summary.js';
import { updateStatus } from '../status/update-status.js';

/** Milliseconds. Any change to the resource is reported earlier. */
const requeueAfter = 600_000;

/** True if a finalizer with the controller's name blocks the resource, although the controller never cleans up. */
function isStaleFinalizer({ controller, resource }: Pick<ReconcileContext, 'controller' | 'resource'>): boolean {
  return controller.isPrimary && resource.metadata.finalizers?.includes(finalizerOf(controller.name)) === true;
}

/**
 * Reports it for a resource that is being deleted. An earlier version of the controller, or another user, added the
 * finalizer. Only a person can know what it was to clean up, so it is not removed.
 */
export async function reportStaleFinalizer(context: ReconcileContext): Promise<number | undefined> {
  const { controller } = context;
  if (!isStaleFinalizer(context)) return undefined; // the garbage collector deletes its objects
  const observation = await observe(context);
  assertWhole(observation.partial ?? [], undefined);
  if (isGone(context)) return undefined;
  const message =
    `Finalizer ${finalizerOf(controller.name)} blocks the deletion, and the controller has nothing to clean up: an earlier version of it or ` +
    'another user added the finalizer; check that nothing is left to clean up, and remove the finalizer';
  const blocker: Blocker = { reason: 'StaleFinalizer', message, requeueAfter };
  const assessed = assess(context, { observation, rejected: rejectionOf(context) }, { blockers: [blocker], held: [] });
  return updateStatus(context, { observation }, assessed);
}

/** The last reported rejection of the spec. Nothing is rendered any more that would show it. */
function rejectionOf(context: ReconcileContext): Result['rejected'] {
  const accepted = conditionOf({ status: reportOf(context) }, 'Accepted');
  return accepted?.status === 'False' ? accepted : undefined;
}
