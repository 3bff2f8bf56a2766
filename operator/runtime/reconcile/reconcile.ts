import { resourceIn } from '../cache/unconfirmed-writes.js';
import { type ControllerContext, isGone, type ReconcileContext } from '../context/reconcile-context.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { deleteExpired } from '../deletion/expiry.js';
import { decideCalls } from '../external/decide-calls.js';
import { isDeleting } from '../kubernetes/object.js';
import { immediateRecheck } from '../memory/observed-versions.js';
import { observe } from '../observe/observe.js';
import { assess } from '../status/assess.js';
import { updateStatus } from '../status/update-status.js';
import { applyPlan } from './apply-plan.js';
import { cleanUpUnselected } from './deselection.js';
import { desire } from './desire.js';
import { finalize } from './finalize.js';

/**
 * Reconciles one resource: observe, desire, apply, external calls, assess, status.
 *
 * Level-based: it depends on the current state, not on past events. If a reconcile stops at any point, the next one
 * completes its work. A reconcile with nothing to do sends nothing.
 * @returns milliseconds until the next reconcile at the latest, if the controller requests one
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
    return undefined; // gone: the garbage collector deletes its objects
  }
  const context: ReconcileContext = { ...controllerContext, resource, signal };
  if (isDeleting(resource)) return finalize(context);
  if (await deleteExpired(context)) return undefined;

  const observation = await observe(context);
  if (isGone(context)) return undefined;
  const plan = await desire(context, observation);
  const applied = await applyPlan(context, plan);
  const isSettled = plan.calls?.length === 0;
  if (isSettled && applied.isComplete && !plan.rejected && !plan.isSuperseded())
    reconciledState?.settle(resource, { ...plan, size: plan.desired?.length ?? 0 });
  if (isGone(context)) return undefined;
  const { calls, send, unsettled } = await decideCalls(context, plan, applied);
  if (isGone(context) || (await cleanUpUnselected(context, { ...plan, ...applied, unsettled }))) return undefined;
  const assessed = assess(context, plan, { ...applied, calls });
  const requeueAfter = await updateStatus(context, plan, assessed);
  send();
  return plan.isSuperseded() ? immediateRecheck : requeueAfter;
}
