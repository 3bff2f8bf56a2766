import type { Kept } from '../cache/stores.js';
import { allInParallel } from '../concurrency/parallel.js';
import { ifServed } from '../context/kind-discovery.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import type { Controller } from '../controller/controller.js';
import { keyOf, nameOf } from '../kubernetes/object.js';
import { type Inventory, type InventoryEntry, placeOf } from '../ownership/inventory.js';
import { isClaimedBy } from '../ownership/ownership-labels.js';
import type { Keep } from '../rendering/keep.js';
import type { Desired } from '../rendering/render.js';
import { kindPosition } from '../rendering/waves.js';
import type { Held } from '../status/assess.js';
import { listedInventory, type Searched } from './finalizer.js';

/** What exists of a resource. */
export interface Remains {
  readonly inventory: Inventory;
  /** The owned objects that are no longer desired, and stay. They may be objects that no watch shows but the inventory lists. */
  readonly held: readonly Held[];
  /** The owned objects that are no longer desired, and do not stay. The last created are the first. */
  readonly loose: readonly Kept[];
  /** The search for the objects that no watch shows. */
  readonly looked: Searched;
}

/** What a resource wants of the objects that it owns. */
export interface Wanted {
  /** @default - the inventory that the resource lists */
  readonly inventory?: Inventory;
  /** Objects that are wanted, and not searched. @default [] */
  readonly desired?: readonly Desired[];
  /** What stays although it is not wanted. @default [] */
  readonly keeps?: readonly Keep[];
  /** Whose kinds are searched. @default - the controller of the resource */
  readonly controller?: Controller;
}

/** All objects that a resource owns, including those that no watch shows but its inventory lists. */
export async function remainsOf(
  context: ReconcileContext,
  { inventory = inventoryOf(context), desired = [], keeps = [], controller = context.controller }: Wanted = {},
): Promise<Remains> {
  const { resource, stores } = context;
  const shown = stores.ownedBy(resource, controller, inventory.recorded);
  const looked = await hidden(inventory.recorded, { owned: shown, desired }, context);
  const owned = [...shown, ...looked.found];
  return { inventory, ...heldAmong(leftovers(owned, desired), keeps), looked };
}

/** The same as far as the caches show it: nothing is read. */
export function shownRemains(
  context: ReconcileContext,
  { desired = [], keeps = [] }: Pick<Wanted, 'desired' | 'keeps'>,
): Pick<Remains, 'held' | 'loose'> {
  const { controller, resource, stores } = context;
  const { recorded } = inventoryOf(context);
  return heldAmong(leftovers(stores.ownedBy(resource, controller, recorded), desired), keeps);
}

function inventoryOf(context: ReconcileContext): Inventory {
  return { recorded: listedInventory(context), version: context.resource.metadata.resourceVersion };
}

/** The objects that a resource owns and no longer desires, the last created first. */
function leftovers(owned: readonly Kept[], desired: readonly InventoryEntry[]): Kept[] {
  const wanted = new Set(desired.map(placeOf));
  return owned
    .filter(({ kind, object }) => !wanted.has(placeOf({ kind, key: keyOf(object.metadata) })))
    .sort((a, b) => kindPosition(b.kind) - kindPosition(a.kind));
}

/** Separates the objects that stay from those to prune. */
function heldAmong(
  found: readonly Kept[],
  keeps: readonly Keep[],
): { readonly held: readonly Held[]; readonly loose: readonly Kept[] } {
  const held: Held[] = [];
  const loose: Kept[] = [];
  for (const one of found) {
    const place = placeOf({ kind: one.kind, key: keyOf(one.object.metadata) });
    const keep = keeps.find(({ object }) => !object || placeOf(object) === place);
    if (keep) held.push({ ...one, why: keep.why, ...(keep.isLeft && { isLeft: true }) });
    else loose.push(one);
  }
  return { held, loose };
}

/** The result of the search for inventory entries. */
interface Looked extends Searched {
  readonly found: readonly Kept[];
}

/** Another writer can have listed any number of objects that never existed. */
const maxMissesByDefault = 250;

/**
 * The inventory entries that no watch shows as ours but that exist and are ours: the label was removed, or the watch
 * has not reported them yet. Each takes a read, so this runs only before deletions, and the number of reads in one
 * reconcile is limited.
 */
async function unseen(recorded: readonly InventoryEntry[], context: ReconcileContext): Promise<Looked> {
  const { cluster, resource, signal, maxMisses = maxMissesByDefault } = context;
  const found: Kept[] = [];
  const absent: InventoryEntry[] = [];
  let reads = maxMisses;
  await allInParallel(recorded, async (one) => {
    if (reads <= 0) return;
    reads--;
    const { kind, key } = one;
    const read = () => cluster.read(kind, nameOf(key), { signal });
    const object = await ifServed(kind, context, read).catch((error: unknown) => {
      reads = 0; // the other reads would probably fail too
      throw error;
    });
    if (object && isClaimedBy(object, resource)) {
      found.push({ kind, object });
      reads++;
    } else absent.push(one);
  });
  return { found, absent, isAll: found.length + absent.length === recorded.length };
}

const nothing: Looked = Object.freeze({ found: [], absent: [], isAll: true });

/**
 * The existing inventory entries besides the desired objects and those that the caches showed as owned. The current
 * caches do not count: an object that a watch has reported meanwhile would be in neither set.
 */
async function hidden(
  inventory: readonly InventoryEntry[],
  { owned, desired }: { owned: readonly Kept[]; desired: readonly Desired[] },
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
