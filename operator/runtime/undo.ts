import type { Applying } from './apply.js';
import { distantKinds } from './distant.js';
import { keyOf } from './object.js';
import { type Leftover, leftovers, prune, unseen } from './prune.js';
import { type Inventory, placeOf, type Recorded, recordedOf } from './recorded.js';
import type { Desired } from './render.js';

/**
 * Removes what a resource owns and no longer wants, wherever it is.
 * @returns what of it is still there
 */
export async function tidy(
  { recorded }: Inventory,
  desired: readonly Desired[],
  applying: Applying,
): Promise<Leftover[]> {
  const { controller, owner, stores } = applying;
  const owned = stores.ownedBy(owner, controller, recorded);
  const found = [...owned, ...(await hidden(recorded, { owned, desired }, applying))];
  return prune(leftovers(found, desired), applying);
}

/**
 * Undoes for a resource that is being deleted what owner references do not reach.
 * @returns what of it is still there
 */
export async function undoDistant(applying: Applying): Promise<Leftover[]> {
  const { controller, owner, stores } = applying;
  const inventory = recordedOf(owner, distantKinds(controller));
  const owned = stores.ownedBy(owner, { ...controller, owns: [] }, inventory);
  const found = [...owned, ...(await hidden(inventory, { owned, desired: [] }, applying))];
  return prune(leftovers(found, []), applying);
}

/** All that a resource owns, what no watch shows included: as its inventory lists it. */
export async function remaining(applying: Applying): Promise<readonly Leftover[]> {
  const { controller, owner, stores } = applying;
  const inventory = recordedOf(owner, distantKinds(controller));
  const owned = stores.ownedBy(owner, controller, inventory);
  return [...owned, ...(await hidden(inventory, { owned, desired: [] }, applying))];
}

/**
 * What is recorded and there, beside what is wanted and what the caches showed as owned. What they show by now is another
 * matter: of what a watch told meanwhile neither would be known.
 */
async function hidden(
  inventory: readonly Recorded[],
  { owned, desired }: { owned: readonly Leftover[]; desired: readonly Desired[] },
  applying: Applying,
): Promise<readonly Leftover[]> {
  if (inventory.length === 0) return [];
  const shown = owned.map(({ kind, object }) => ({ kind, key: keyOf(object.metadata) }));
  const known = new Set([...desired, ...shown].map(placeOf));
  return unseen(
    inventory.filter((one) => !known.has(placeOf(one))),
    applying,
  );
}
