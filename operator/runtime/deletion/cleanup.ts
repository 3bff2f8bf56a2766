import { type Leftover, type Looked, leftovers, prune, unseen } from '../apply/prune.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { UnfinishedError } from '../kubernetes/errors.js';
import { keyOf } from '../kubernetes/object.js';
import { type Inventory, type InventoryEntry, placeOf } from '../ownership/inventory.js';
import type { Desired } from '../rendering/render.js';
import { listedInventory } from './add-finalizer.js';
import { setFinalizer } from './finalizer.js';

/**
 * Removes what a resource owns and no longer wants, wherever it is.
 * @returns what of it is still there
 * @throws {UnfinishedError} when its inventory lists more than one pass looks for: the next one goes on
 */
export async function cleanUp(
  inventory: Inventory,
  desired: readonly Desired[],
  context: ReconcileContext,
): Promise<readonly Leftover[]> {
  const { controller, resource, stores } = context;
  const owned = stores.ownedBy(resource, controller, inventory.recorded);
  const looked = await hidden(inventory.recorded, { owned, desired }, context);
  const left = await prune(leftovers([...owned, ...looked.found], desired), context);
  await refusePart(looked, inventory, context);
  return left;
}

/**
 * Undoes for a resource that is being deleted what owner references do not reach.
 * @returns what of it is still there
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
 * All that a resource owns, what no watch shows included: as its inventory lists it.
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
 * What is recorded and there, beside what is wanted and what the caches showed as owned. What they show by now is another
 * matter: of what a watch told meanwhile neither would be known.
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

/** Ends a pass that has looked for a part, once the inventory lists no more what proved to be absent: so all is looked for. */
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
    `the inventory listed ${gone.size} objects that are not there, and lists ${kept.length} more`,
  );
}
