import type { Applying } from './apply.js';
import { distantKinds } from './distant.js';
import { setFinalizer } from './finalizer.js';
import { type Leftover, leftovers, prune, unseen } from './prune.js';
import { placeOf, type Recorded, recordedOf } from './recorded.js';
import type { Desired } from './render.js';

/**
 * Removes what a resource owns and no longer wants, wherever it is.
 * @returns what of it is still there
 */
export async function tidy(
  inventory: readonly Recorded[],
  desired: readonly Desired[],
  applying: Applying,
): Promise<Leftover[]> {
  const { controller, owner, stores } = applying;
  const owned = stores.ownedBy(owner, controller.owns, inventory);
  return prune(leftovers([...owned, ...(await hidden(inventory, desired, applying))], desired), applying);
}

/**
 * Undoes for a resource that is being deleted what owner references do not reach.
 * @returns what of it is still there
 */
export async function undoDistant(applying: Applying): Promise<Leftover[]> {
  const { controller, owner, stores } = applying;
  const inventory = recordedOf(owner, distantKinds(controller));
  const distant = [...stores.ownedBy(owner, [], inventory), ...(await hidden(inventory, [], applying))];
  return prune(leftovers(distant, []), applying);
}

/** Takes the finalizer off: nothing is left to undo. */
export async function letGo(applying: Applying): Promise<undefined> {
  await setFinalizer(false, applying, []);
  return undefined;
}

/** What is recorded, not wanted, and shown by no watch. */
async function hidden(
  inventory: readonly Recorded[],
  desired: readonly Desired[],
  applying: Applying,
): Promise<readonly Leftover[]> {
  if (inventory.length === 0) return [];
  const meant = new Set(desired.map(placeOf));
  return unseen(
    inventory.filter((one) => !meant.has(placeOf(one))),
    applying,
  );
}
