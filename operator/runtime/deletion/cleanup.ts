import { type Held, heldAmong } from '../apply/held-objects.js';
import { type Leftover, type Looked, leftovers, prune, unseen } from '../apply/prune.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { UnfinishedError } from '../kubernetes/errors.js';
import { keyOf } from '../kubernetes/object.js';
import { type Inventory, type InventoryEntry, placeOf } from '../ownership/inventory.js';
import type { Keep } from '../rendering/keep.js';
import type { Desired } from '../rendering/render.js';
import { listedInventory } from './add-finalizer.js';
import { setFinalizer } from './finalizer.js';

/**
 * Deletes what a resource owns and no longer desires, in all namespaces, except for what is to be kept.
 * @returns the objects that still exist, and which of them were kept
 * @throws {UnfinishedError} if the inventory lists more than one reconcile searches. The next one continues
 */
export async function cleanUp(
  inventory: Inventory,
  { desired, keeps }: { readonly desired: readonly Desired[]; readonly keeps: readonly Keep[] },
  context: ReconcileContext,
): Promise<{ readonly left: readonly Leftover[]; readonly held: readonly Held[] }> {
  const { controller, resource, stores } = context;
  const owned = stores.ownedBy(resource, controller, inventory.recorded);
  const looked = await hidden(inventory.recorded, { owned, desired }, context);
  const { held, loose } = heldAmong(leftovers([...owned, ...looked.found], desired), keeps);
  const left = await prune(loose, context, held);
  await refusePart(looked, inventory, context);
  return { left, held };
}

/**
 * Deletes the objects that owner references do not reach, for a resource that is being deleted.
 * @returns the objects that still exist
 * @throws {UnfinishedError} as {@link cleanUp}
 */
export async function cleanUpDistant(context: ReconcileContext): Promise<readonly Leftover[]> {
  const { controller, resource, stores } = context;
  const inventory = inventoryOf(context);
  const owned = stores.ownedBy(resource, { ...controller, owns: [] }, inventory.recorded);
  const looked = await hidden(inventory.recorded, { owned, desired: [] }, context);
  const left = await prune(leftovers([...owned, ...looked.found], []), context);
  await refusePart(looked, inventory, context);
  return left;
}

/**
 * All objects that a resource owns, including those that no watch shows but its inventory lists.
 * @throws {UnfinishedError} as {@link cleanUp}
 */
export async function remaining(context: ReconcileContext): Promise<readonly Leftover[]> {
  const { controller, resource, stores } = context;
  const inventory = inventoryOf(context);
  const owned = stores.ownedBy(resource, controller, inventory.recorded);
  const looked = await hidden(inventory.recorded, { owned, desired: [] }, context);
  await refusePart(looked, inventory, context);
  return [...owned, ...looked.found];
}

function inventoryOf(context: ReconcileContext): Inventory {
  return { recorded: listedInventory(context), version: context.resource.metadata.resourceVersion };
}

const nothing: Looked = Object.freeze({ found: [], absent: [], isAll: true });

/**
 * The existing inventory entries besides the desired objects and those that the caches showed as owned. The current
 * caches do not count: an object that a watch has reported meanwhile would be in neither set.
 */
async function hidden(
  inventory: readonly InventoryEntry[],
  { owned, desired }: { owned: readonly Leftover[]; desired: readonly Desired[] },
  context: ReconcileContext,
): Promise<Looked> {
  if (inventory.length === 0) return nothing;
  const shown = owned.map(({ kind, object }) => ({ kind, key: keyOf(object.metadata) }));
  const known = new Set([...desired, ...shown].map(placeOf));
  return unseen(
    inventory.filter((one) => !known.has(placeOf(one))),
    context,
  );
}

/**
 * Ends a reconcile that has searched a part, once the absent objects are removed from the inventory. So later
 * reconciles reach the rest.
 */
async function refusePart(
  { absent, isAll }: Looked,
  { recorded, version }: Inventory,
  context: ReconcileContext,
): Promise<void> {
  if (isAll) return;
  const gone = new Set(absent.map(placeOf));
  const kept = recorded.filter((one) => !gone.has(placeOf(one)));
  await setFinalizer(true, context, { recorded: kept, version });
  throw new UnfinishedError(
    `the inventory listed ${gone.size} objects that do not exist, and lists ${kept.length} more`,
  );
}
