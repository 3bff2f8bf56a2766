import { apply } from '../apply/apply.js';
import { resourceIn } from '../cache/unconfirmed-writes.js';
import { settleUnconfirmedWrites } from '../context/object-writes.js';
import { type ControllerContext, isGone, type ReconcileContext } from '../context/reconcile-context.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { hasFinalizer } from '../controller/finalization.js';
import { callUserCode } from '../controller/user-code.js';
import { addFinalizer, trimInventory } from '../deletion/add-finalizer.js';
import { cleanUp } from '../deletion/cleanup.js';
import { isStaleFinalizer, reportStaleFinalizer } from '../deletion/stale-finalizer.js';
import { isDeleting } from '../kubernetes/object.js';
import { isPartial } from '../kubernetes/partial-metadata.js';
import { immediateRecheck } from '../memory/observed-versions.js';
import { observe } from '../observe/observe.js';
import { assertWhole, complete } from '../observe/partial-objects.js';
import { updateStatus } from '../status/update-status.js';
import { finalize } from './finalize.js';
import { planOf } from './plan.js';

/**
 * Looks at one resource and brings the world one step nearer to it: look, desire, apply, assess, report.
 *
 * Level-based: it depends on what is there, not on what happened, so a pass that was cut anywhere is made good by the
 * next one, and a pass with nothing to do sends nothing.
 * @returns milliseconds after which to look again at the latest, if the controller wants that
 */
export async function reconcile(
  key: string,
  place: ControllerContext,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { controller, stores } = place;
  const resource = stores.of(controller.kind).get(key) as CustomResource | undefined;
  if (!resource) {
    stores.doubts.forget(resourceIn(controller.name, key));
    return undefined; // gone; what it owned goes by owner reference
  }
  const applying: ReconcileContext = { ...place, owner: resource, signal };
  const deleting = isDeleting(resource);
  const isHeld = hasFinalizer(resource, controller);
  if (deleting && !isHeld && !isStaleFinalizer(applying)) return undefined; // the garbage collector's business
  if (deleting && isHeld) return finalize(applying, place);
  await settleUnconfirmedWrites(applying);
  const parts = await complete(applying);
  if (deleting) return reportStaleFinalizer(applying, place, parts);

  if (!isPartial(resource)) callUserCode(controller.name, 'filter', () => controller.filter?.(resource));
  const { span } = place.telemetry;
  const view = await span('observe', {}, () => observe(resource, place, { signal }));
  if (isGone(applying)) return undefined;
  const { ground } = place;
  if (ground?.isSettled(resource)) return updateStatus(applying, view, { blockers: [] });

  const { desired, rejected, view: seen, sight, isOutdone } = await planOf(applying, view);
  assertWhole(parts, desired);
  if (!desired) return updateStatus(applying, seen, { rejected, blockers: [] });

  const inventory = await addFinalizer(desired, applying);
  const blockers = await apply(desired, applying);
  if (blockers.length === 0) {
    const left = await cleanUp(inventory, desired, applying);
    await trimInventory(inventory, { desired, left }, applying);
    if (left.length === 0 && !rejected && !isOutdone()) ground?.settle(resource, { sight, size: desired.length });
  }
  const again = await updateStatus(applying, seen, { rejected, blockers }, desired);
  return isOutdone() ? immediateRecheck : again;
}
