import type { Applying } from './apply.js';
import { controllerLabel } from './inventory.js';
import { keyOf, type LiveObject } from './object.js';
import { isPartial } from './partial.js';
import type { Kept } from './stores.js';

/**
 * Has the whole of what a resource has: what was told before the resource itself is kept in part, as what another process
 * made while the news of the resource was late.
 */
export async function complete(applying: Applying): Promise<void> {
  const { controller, owner, stores } = applying;
  const isPart = ({ object }: Kept) => isPartial(object);
  const owned = stores.ownedBy(owner, controller).filter(isPart);
  const beside = stores.beside(owner, controller).filter(isPart);
  const taken = [...owned.map((one) => read(one, applying)), ...beside.map((one) => found(one, applying))];
  const wholes = await Promise.all(taken);
  for (const [index, { kind, object }] of [...owned, ...beside].entries()) {
    const whole = wholes[index];
    if (whole) stores.of(kind).completed(whole);
    else stores.of(kind).saw(keyOf(object.metadata), undefined, object);
  }
}

function read({ kind, object }: Kept, { cluster, signal }: Applying): Promise<LiveObject | undefined> {
  return cluster.read(kind, object.metadata, { signal });
}

/** Of what it only sees a controller may list all, and read none. */
async function found({ kind, object }: Kept, { cluster, signal }: Applying): Promise<LiveObject | undefined> {
  const { name, namespace } = object.metadata;
  const { items } = await cluster.list(kind, { namespace, labelSelector: controllerLabel, signal });
  return items.find(({ metadata }) => metadata.name === name);
}
