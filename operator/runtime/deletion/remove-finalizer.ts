import type { Leftover } from '../apply/prune.js';
import { ifServed } from '../context/kind-discovery.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { hasLabels, selectorOf } from '../controller/reads.js';
import { callUserCode } from '../controller/user-code.js';
import { newer } from '../kubernetes/errors.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import { isDeleting, keyOf } from '../kubernetes/object.js';
import { controllerLabel } from '../kubernetes/well-known-names.js';
import type { Inventory } from '../ownership/inventory.js';
import { isOwnedBy } from '../ownership/ownership-labels.js';
import { allPages } from '../ports/all-pages.js';
import { setFinalizer } from './finalizer.js';

/**
 * Removes the finalizer because nothing is left to clean up. Empty caches prove nothing: a dead watch has not reported
 * what another process created before this one led. So a controller that finalizes asks the server first. The inventory
 * was searched before, and the garbage collector deletes what owner references reach. Objects that others created for
 * the resource are deleted last.
 *
 * @throws {ApiError} Conflict if an object still exists. The next reconcile sees it
 */
export async function removeFinalizer(inventory: Inventory, context: ReconcileContext): Promise<void> {
  if (context.controller.finalizes) {
    await refuseUnheardOf(context);
    await clearRemnants(context);
  }
  await setFinalizer(false, context, inventory);
}

async function refuseUnheardOf(context: ReconcileContext): Promise<void> {
  const { controller, resource, stores } = context;
  const near = controller.owns.filter(({ namespaced }) => namespaced || resource.metadata.namespace === undefined);
  const asked = near.map((kind) => ifServed(kind, context, () => owned(kind, context)));
  const found = (await Promise.all(asked)).flatMap((some) => some ?? []);
  for (const { kind, object } of found) stores.of(kind).saw(keyOf(object.metadata), object, undefined);
  const [first] = found;
  if (first) throw newer(`${first.kind.kind} ${first.object.metadata.name} exists, but no watch has reported it`);
}

/** The objects of a kind that a resource owns, by the server's answer. */
async function owned(
  kind: ObjectKind,
  { cluster, controller, resource, signal }: ReconcileContext,
): Promise<Leftover[]> {
  const labelSelector = selectorOf({ [controllerLabel]: controller.name });
  const query = { namespace: resource.metadata.namespace, labelSelector, signal };
  const found: Leftover[] = [];
  for await (const { items } of allPages({ cluster, kind }, query))
    for (const object of items) if (isOwnedBy(object, resource)) found.push({ kind, object });
  return found;
}

/**
 * Deletes what others created for a resource that is being deleted. No controller is left that would recreate it, and
 * the finalizer is still present: a process that is stopped in between starts here again. Each object is deleted only
 * if it is the same one that was read.
 *
 * @throws {ApiError} Conflict if an object has changed since. The next reconcile checks it
 */
async function clearRemnants(context: ReconcileContext): Promise<void> {
  const { cluster, controller, resource, telemetry, signal } = context;
  if (!isDeleting(resource)) return;
  const { namespace } = resource.metadata;
  const wanted = callUserCode(controller.name, 'foreignLeftovers', () => controller.foreignLeftovers?.(resource));
  for (const { kind, name, labels } of wanted ?? []) {
    const read = () => cluster.read(kind, { name, ...(namespace && { namespace }) }, { signal });
    const found = await ifServed(kind, context, read);
    if (!found || found.metadata.deletionTimestamp || !hasLabels(found, labels)) continue;
    const { uid, resourceVersion } = found.metadata;
    telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'delete' });
    await cluster.remove(kind, found.metadata, { uid, resourceVersion }, { signal });
  }
}
