import { resourceIn } from '../cache/unconfirmed-writes.js';
import { type ControllerContext, isGone, type ReconcileContext } from '../context/reconcile-context.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { hasFinalizer } from '../controller/finalization.js';
import { reportStaleFinalizer } from '../deletion/stale-finalizer.js';
import { isDeleting } from '../kubernetes/object.js';
import { immediateRecheck } from '../memory/observed-versions.js';
import { observe } from '../observe/observe.js';
import { assess } from '../status/assess.js';
import { updateStatus } from '../status/update-status.js';
import { applyPlan } from './apply-plan.js';
import { desire } from './desire.js';
import { finalize } from './finalize.js';

/**
 * Reconciles one resource: observe, desire, apply, assess, status.
 *
 * Level-based: it depends on what is there, not on what happened. The next reconcile makes good one that was cut anywhere,
 * and one with nothing to do sends nothing.
 * @returns milliseconds after which to reconcile again at the latest, if the controller wants that
 */
export async function reconcile(
  key: string,
  controllerContext: ControllerContext,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { controller, reconciledState, stores } = controllerContext;
  const resource = stores.of(controller.kind).get(key) as CustomResource | undefined;
  if (!resource) {
    stores.unconfirmedWrites.forget(resourceIn(controller.name, key));
    return undefined; // gone: what it owned goes by owner reference
  }
  const context: ReconcileContext = { ...controllerContext, resource, signal };
  if (isDeleting(resource))
    return hasFinalizer(resource, controller) ? finalize(context) : reportStaleFinalizer(context);

  const observation = await observe(context);
  if (isGone(context)) return undefined;
  const plan = await desire(context, observation);
  const applied = await applyPlan(context, plan);
  if (applied.isComplete && !plan.rejected && !plan.isSuperseded())
    reconciledState?.settle(resource, { ...plan, size: plan.desired?.length ?? 0 });
  if (isGone(context)) return undefined;
  const assessed = assess(context, plan, applied);
  const requeueAfter = await updateStatus(context, plan, assessed);
  return plan.isSuperseded() ? immediateRecheck : requeueAfter;
}
