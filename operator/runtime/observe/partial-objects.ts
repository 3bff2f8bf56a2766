import type { Kept } from '../cache/stores.js';
import type { PartialObject, ReconcileContext } from '../context/reconcile-context.js';
import { TooDeepError } from '../kubernetes/deep-freeze.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';
import { isPartial } from '../kubernetes/partial-metadata.js';
import { controllerLabel } from '../kubernetes/well-known-names.js';
import { allPages } from '../ports/all-pages.js';

/**
 * Reads the whole of a resource's objects that are kept in part. They were reported before the resource itself, for
 * example because another process created them while the event about the resource was late.
 * @returns the objects that cannot be read whole
 */
export async function complete(context: ReconcileContext): Promise<readonly PartialObject[]> {
  const { controller, resource, stores } = context;
  const isPart = ({ object }: Kept) => isPartial(object);
  const owned = stores.ownedBy(resource, controller).filter(isPart);
  const siblings = stores.siblings(resource, controller).filter(isPart);
  const taken = [...owned.map((one) => read(one, context)), ...siblings.map((one) => found(one, context))];
  const wholes = await Promise.all(taken);
  const parts: PartialObject[] = [];
  for (const [index, { kind, object }] of [...owned, ...siblings].entries()) {
    const whole = wholes[index];
    try {
      if (whole) stores.of(kind).completed(whole);
      else stores.of(kind).saw(keyOf(object.metadata), undefined, object);
    } catch (why) {
      if (!(why instanceof TooDeepError)) throw why;
      parts.push({ kind, object, isOwned: index < owned.length, why });
    }
  }
  return parts;
}

function read({ kind, object }: Kept, { cluster, signal }: ReconcileContext): Promise<LiveObject | undefined> {
  return cluster.read(kind, object.metadata, { signal });
}

/** A controller may list the objects of its siblings, but not get one. */
async function found({ kind, object }: Kept, { cluster, signal }: ReconcileContext): Promise<LiveObject | undefined> {
  const { name, namespace } = object.metadata;
  const query = { namespace, labelSelector: controllerLabel, signal };
  for await (const { items } of allPages({ cluster, kind }, query)) {
    const there = items.find(({ metadata }) => metadata.name === name);
    if (there) return there;
  }
  return undefined;
}
