import type { Leftover } from '../apply/prune.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { hasFinalizer, isExternal } from '../controller/finalization.js';
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
 * Holds a resource before anything is made for it: its finalizer is there when there will be something to undo, and its
 * inventory lists every distant object that may be there, those that are to be made included. A process that dies at any
 * call leaves nothing that the next one does not find. Nothing is sent when that is so already, unless a distant or an
 * untied object is to be made, or taken from another resource of this name: the cache may show an inventory that another
 * process has shortened since, or a resource that is gone, and the server knows.
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
    const isUncollected = crossNamespace || kind.withoutOwnerReference; // should the resource be gone, nobody would take it away
    return isUncollected && isToBeTaken(stores.of(kind).get(key), context);
  });
  if (isNeeded && !(isHeld && isSame(before, all) && !takes)) return setFinalizer(true, context, held);
  return held;
}

/**
 * Takes off the inventory what is neither wanted nor there any more, and with the last thing to undo the finalizer. Only after
 * everything was applied and what is left over was told to go.
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

/** True of what is not there, and of what was made for another resource of this name. */
function isToBeTaken(object: LiveObject | undefined, { controller: { kind }, resource }: ReconcileContext): boolean {
  if (object === undefined) return true;
  if (isControlledByNameOf(object, kind, resource)) return !isOwnedBy(object, resource);
  return isClaimedFor(object, kind, resource) && !isClaimedBy(object, resource);
}

/** @param objects how many there are, or are to be */
function isToBeUndone({ controller, resource }: ReconcileContext, objects: number): boolean {
  return controller.finalizes && (objects > 0 || isExternal(controller, resource));
}

function isSame(a: readonly InventoryEntry[], b: readonly InventoryEntry[]): boolean {
  return a === b || inventoryText(a) === inventoryText(b);
}

/**
 * What a resource's inventory lists of the kinds whose objects may be out of its reach. More than we ever list somebody else
 * has listed: what is ours of it the caches show.
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
