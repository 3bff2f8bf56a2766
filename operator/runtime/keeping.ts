import { claimOf } from './claim.js';
import type { Controller } from './controller.js';
import { controllerLabel } from './inventory.js';
import { groupKindOf, groupOf, type ObjectKind } from './kinds.js';
import { keyOf, type LiveObject, ownersOf } from './object.js';
import type { Stores } from './stores.js';

/** What tells of a controller what it makes and sees. */
type Maker = Pick<Controller, 'name' | 'kind' | 'owns' | 'sees'>;

/** The controllers that make or see objects of a kind. */
export function concernedWith<C extends Maker>(kind: ObjectKind, controllers: readonly C[]): readonly C[] {
  return controllers.filter((controller) => has(controller.owns, kind) || has(controller.sees, kind));
}

/**
 * Of which objects of a kind that carry our label more is kept than their metadata: of those that a controller here has
 * made for a resource that there is, and of what it sees of others. Anybody may put our label on objects of his own, as
 * large and as many as he likes, and name owners that there never were.
 */
export function keptWhole(
  kind: ObjectKind,
  controllers: readonly Maker[],
  stores: Stores,
): (object: LiveObject) => boolean {
  const concerned = concernedWith(kind, controllers);
  const isSeen = new Set(concerned.filter(({ sees }) => has(sees, kind)));
  return (object) => {
    const maker = object.metadata.labels?.[controllerLabel];
    return concerned.some((one) => (one.name === maker || isSeen.has(one)) && isOfOneThere(object, one.kind, stores));
  };
}

/** True of an object of a resource that the caches have. */
function isOfOneThere(object: LiveObject, kind: ObjectKind, stores: Stores): boolean {
  const isThere = (key: string, uid: string) => stores.of(kind).get(key)?.metadata.uid === uid;
  const claim = claimOf(object);
  if (claim) return claim.kind === groupKindOf(kind) && isThere(claim.key, claim.uid);
  const { namespace } = object.metadata;
  return ownersOf(object).some(
    ({ apiVersion, kind: name, ...owner }) =>
      name === kind.kind &&
      groupOf(apiVersion) === kind.group &&
      isThere(keyOf({ name: owner.name, ...(kind.namespaced && namespace !== undefined && { namespace }) }), owner.uid),
  );
}

function has(kinds: readonly ObjectKind[], kind: ObjectKind): boolean {
  return kinds.some((one) => groupKindOf(one) === groupKindOf(kind));
}
