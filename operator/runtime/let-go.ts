import { allPages } from './all-pages.js';
import type { Applying } from './apply.js';
import { newer } from './errors.js';
import { setFinalizer } from './finalizer.js';
import { controllerLabel, isOwnedBy } from './inventory.js';
import type { ObjectKind } from './kinds.js';
import { keyOf } from './object.js';
import type { Leftover } from './prune.js';
import { selectorOf } from './reads.js';
import type { Inventory } from './recorded.js';
import { clearRemnants } from './remnants.js';
import { whereServed } from './where-served.js';

/**
 * Takes the finalizer off: nothing is left to undo. That the caches show nothing proves nothing: a watch that died
 * without a word has not told what another process made before this one led. So a controller that finalizes asks the
 * server first; what is recorded was read before, and what owner references reach is otherwise the garbage collector's.
 * What others made for the resource goes last.
 *
 * @throws {ApiError} Conflict when something is there after all, which the next look sees
 */
export async function letGo(inventory: Inventory, applying: Applying): Promise<void> {
  if (applying.controller.finalizes) {
    await refuseUnheardOf(applying);
    await clearRemnants(applying);
  }
  await setFinalizer(false, applying, inventory);
}

async function refuseUnheardOf(applying: Applying): Promise<void> {
  const { controller, owner, stores } = applying;
  const near = controller.owns.filter(({ namespaced }) => namespaced || owner.metadata.namespace === undefined);
  const asked = near.map((kind) => whereServed(kind, applying, () => owned(kind, applying)));
  const found = (await Promise.all(asked)).flatMap((some) => some ?? []);
  for (const { kind, object } of found) stores.of(kind).saw(keyOf(object.metadata), object, undefined);
  const [first] = found;
  if (first) throw newer(`${first.kind.kind} ${first.object.metadata.name} is there, of which no watch has told`);
}

/** What the server says that a resource owns of a kind. */
async function owned(kind: ObjectKind, { cluster, controller, owner, signal }: Applying): Promise<Leftover[]> {
  const labelSelector = selectorOf({ [controllerLabel]: controller.name });
  const query = { namespace: owner.metadata.namespace, labelSelector, signal };
  const found: Leftover[] = [];
  for await (const { items } of allPages({ cluster, kind }, query))
    for (const object of items) if (isOwnedBy(object, owner)) found.push({ kind, object });
  return found;
}
