import { resourceIn } from '../cache/unconfirmed-writes.js';
import { type ControllerContext, isGone, type ReconcileContext } from '../context/reconcile-context.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { expiryOf } from '../controller/expiry.js';
import { hasFinalizer, isSelected } from '../controller/finalization.js';
import { removeFinalizer } from '../deletion/finalizer.js';
import { type Called, decideCalls } from '../external/decide-calls.js';
import { isDeleting } from '../kubernetes/object.js';
import { timestampOf } from '../kubernetes/timestamp.js';
import { immediateRecheck } from '../memory/observed-versions.js';
import { observe } from '../observe/observe.js';
import { recordEvent } from '../ports/event-recorder.js';
import { whyAllStays } from '../rendering/keep.js';
import { assess } from '../status/assess.js';
import { earliest, updateStatus } from '../status/update-status.js';
import { clearReport } from '../status/write-status.js';
import { type Applied, applyPlan } from './apply-plan.js';
import { desire, type Plan } from './desire.js';
import { finalize, type Reached } from './finalize.js';

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
  const { controller, stores } = controllerContext;
  const resource = stores.of(controller.kind).get(key) as CustomResource | undefined;
  if (!resource) {
    stores.unconfirmedWrites.forget(resourceIn(controller.name, key));
    return undefined; // gone: the garbage collector deletes its objects
  }
  const context: ReconcileContext = { ...controllerContext, resource, signal };
  const reached = isDeleting(resource) ? await finalize(context) : await converge(context);
  if (typeof reached !== 'object') return reached;
  const { plan, applied, isSuperseded, latest, send } = reached;
  const assessed = assess(context, plan, applied);
  const requeueAfter = await updateStatus(context, plan, assessed);
  send?.();
  return earliest(isSuperseded?.() ? immediateRecheck : requeueAfter, latest);
}

/**
 * The first stages for a resource that is to exist.
 * @returns undefined if nothing is to be reported, because the resource is gone
 */
async function converge(context: ReconcileContext): Promise<Reached | undefined> {
  const { reconciledState, resource } = context;
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
  return { plan, applied: { ...applied, calls }, isSuperseded: plan.isSuperseded, send };
}

/**
 * Deletes a resource whose time is over, in the version that was read: a resource whose user has just extended its time
 * stays.
 * @returns whether it was deleted. The next reconcile finalizes it, once its watch has reported the deletion
 * @throws {ApiError} Conflict if it has changed since. The next reconcile sees it
 */
async function deleteExpired(context: ReconcileContext): Promise<boolean> {
  const { clock, cluster, controller, resource, signal, telemetry } = context;
  const at = expiryOf(controller, resource);
  if (at === undefined || at > clock.now()) return false;
  const { uid, resourceVersion } = resource.metadata;
  telemetry.wrote({ controller: controller.name, kind: controller.kind.kind, verb: 'delete' });
  await cluster.remove(controller.kind, resource.metadata, { uid, resourceVersion }, { signal });
  const note = `Deleted the ${controller.kind.kind}, which expired at ${timestampOf(at)}`;
  recordEvent({ type: 'Normal', reason: 'Expired', note }, context, resource);
  return true;
}

/**
 * Removes the finalizer and the report of a resource that its controller no longer selects, once nothing of it is left.
 * The finalizer is removed only in the version that was read, as for a resource that is being deleted.
 * @returns whether nothing is left
 */
async function cleanUpUnselected(
  context: ReconcileContext,
  {
    desired,
    keeps,
    left,
    unsettled,
  }: Pick<Plan, 'desired' | 'keeps'> & Pick<Applied, 'left'> & Pick<Called, 'unsettled'>,
): Promise<boolean> {
  const { controller, resource } = context;
  if (isSelected(controller, resource)) return false;
  // What `desire` would undo may not be known, also if no object is left.
  if (whyAllStays(keeps) !== undefined) return false;
  if (desired?.length !== 0 || left.length > 0 || unsettled !== undefined) return false;
  const nothing = { recorded: [], version: resource.metadata.resourceVersion };
  if (hasFinalizer(resource, controller)) await removeFinalizer(nothing, context);
  await clearReport(context);
  return true;
}
