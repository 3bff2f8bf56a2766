import type { Kept } from '../cache/stores.js';
import type { PartialObject, ReconcileContext } from '../context/reconcile-context.js';
import { TooDeepError } from '../kubernetes/deep-freeze.js';
import { groupKindOf } from '../kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';
import { isPartial } from '../kubernetes/partial-metadata.js';
import { controllerLabel } from '../kubernetes/well-known-names.js';
import { allPages } from '../ports/all-pages.js';
import type { Desired } from '../rendering/render.js';

/**
 * Has the whole of what a resource has: what was told before the resource itself is kept in part, as what another process
 * made while the news of the resource was late.
 * @returns of what no whole is to be had
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

/**
 * Nobody may judge by a part as if it were all. What is owned and not wanted need not be whole to be removed.
 * @param desired undefined where it is not known
 * @throws {TooDeepError} of the first that counts
 */
export function assertWhole(parts: readonly PartialObject[], desired: readonly Desired[] | undefined): void {
  for (const { kind, object, isOwned, why } of parts) {
    const key = keyOf(object.metadata);
    const isWanted = desired?.some((one) => one.key === key && groupKindOf(one.kind) === groupKindOf(kind)) ?? true;
    if (isWanted || !isOwned) throw why;
  }
}

function read({ kind, object }: Kept, { cluster, signal }: ReconcileContext): Promise<LiveObject | undefined> {
  return cluster.read(kind, object.metadata, { signal });
}

/** Of what it only sees a controller may list all, and read none. */
async function found({ kind, object }: Kept, { cluster, signal }: ReconcileContext): Promise<LiveObject | undefined> {
  const { name, namespace } = object.metadata;
  const query = { namespace, labelSelector: controllerLabel, signal };
  for await (const { items } of allPages({ cluster, kind }, query)) {
    const there = items.find(({ metadata }) => metadata.name === name);
    if (there) return there;
  }
  return undefined;
}
