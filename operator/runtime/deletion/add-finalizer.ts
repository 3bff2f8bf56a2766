import type { Leftover } from '../apply/prune.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { hasFinalizer, isExternal, isSelected } from '../controller/finalization.js';
import { crossNamespaceKinds } from '../controller/owned-kinds.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';
import {
  type Inventory,
  type InventoryEntry,
  inventoryAnnotation,
  inventoryEntriesOf,
  inventoryText,
  longestInventory,
  placeOf,
  union,
} from '../ownership/inventory.js';
import { isClaimedBy, isClaimedFor, isControlledByNameOf, isOwnedBy } from '../ownership/ownership-labels.js';
import type { Desired } from '../rendering/render.js';
import { setFinalizer } from './finalizer.js';
import { removeFinalizer } from './remove-finalizer.js';

/**
 * Protects a resource before any of its objects are created. The finalizer is present whenever there will be something
 * to clean up. The inventory lists every cross-namespace object that may exist, including those that are about to be
 * created. So whenever a process dies, the next one finds everything. Nothing is sent if this is already the case. An
 * exception is a cross-namespace object or one without owner reference that is to be created, or adopted from another
 * resource of this name. The cache may then show an outdated inventory or a resource that is gone, so the server is
 * asked.
 *
 * @returns the inventory
 */
export async function addFinalizer(desired: readonly Desired[], context: ReconcileContext): Promise<Inventory> {
  const { controller, resource, stores } = context;
  const before = listedInventory(context);
  const all = union(
    before,
    desired.filter(({ crossNamespace }) => crossNamespace),
  );
  const isHeld = hasFinalizer(resource, controller);
  const isNeeded = isToBeUndone(context, desired.length) || all.length > 0;
  const held = { recorded: all, version: resource.metadata.resourceVersion };
  const takes = desired.some(({ crossNamespace, kind, key }) => {
    const isUncollected = crossNamespace || kind.withoutOwnerReference; // if the resource is gone, nothing would delete the object
    return isUncollected && isToBeTaken(stores.of(kind).get(key), context);
  });
  if (isNeeded && !(isHeld && isSame(before, all) && !takes)) return setFinalizer(true, context, held);
  return held;
}

/**
 * Removes from the inventory the objects that are neither desired nor present any more, and removes the finalizer with
 * the last object to clean up. Runs only after everything was applied and the leftovers were deleted.
 */
export async function trimInventory(
  { recorded, version }: Inventory,
  { desired, left }: { desired: readonly Desired[]; left: readonly Leftover[] },
  context: ReconcileContext,
): Promise<void> {
  const { controller, resource } = context;
  const there = left.map(({ kind, object }) => ({ kind, key: keyOf(object.metadata) }));
  const meant = new Set([...desired, ...there].map(placeOf));
  const kept = recorded.filter((one) => meant.has(placeOf(one)));
  const isNeeded = isToBeUndone(context, desired.length + left.length) || kept.length > 0;
  const isHeld = hasFinalizer(resource, controller);
  if (kept.length === recorded.length && (isNeeded || !isHeld)) return;
  const after = { recorded: kept, version };
  if (isNeeded) await setFinalizer(true, context, after);
  else await removeFinalizer(after, context);
}

/** True if the object does not exist, or was created for another resource of this name. */
function isToBeTaken(object: LiveObject | undefined, { controller: { kind }, resource }: ReconcileContext): boolean {
  if (object === undefined) return true;
  if (isControlledByNameOf(object, kind, resource)) return !isOwnedBy(object, resource);
  return isClaimedFor(object, kind, resource) && !isClaimedBy(object, resource);
}

/** @param objects the number of objects that exist or are desired */
function isToBeUndone({ controller, resource }: ReconcileContext, objects: number): boolean {
  if (!controller.finalizes) return false;
  if (objects > 0) return true;
  // The finalizer precedes the first call, so a resource without one has nothing outside.
  const isCared = isSelected(controller, resource) || hasFinalizer(resource, controller);
  return isCared && isExternal(controller, resource);
}

function isSame(a: readonly InventoryEntry[], b: readonly InventoryEntry[]): boolean {
  return a === b || inventoryText(a) === inventoryText(b);
}

/**
 * The entries of a resource's inventory, for kinds whose objects may be out of its reach. If there are more than we
 * ever list, another user wrote them. The caches then show which objects are ours.
 */
export function listedInventory({
  controller,
  resource,
  stores,
}: Pick<ReconcileContext, 'controller' | 'resource' | 'stores'>): readonly InventoryEntry[] {
  const listed = inventoryEntriesOf(resource, crossNamespaceKinds(controller));
  const isForged = (resource.metadata.annotations?.[inventoryAnnotation]?.length ?? 0) > longestInventory;
  return isForged ? listed.filter((one) => stores.claimed(one, resource) !== undefined) : listed;
}
