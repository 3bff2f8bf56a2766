import type { Controller } from '../controller/controller.js';
import { includes, type ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject } from '../kubernetes/object.js';
import { controllerLabel } from '../kubernetes/well-known-names.js';
import { ownerAnnotationOf, ownerKeysOf } from '../ownership/owner-annotation.js';
import { isOwnedBy } from '../ownership/ownership-labels.js';
import type { Stores } from './stores.js';

/** What tells of a controller what it makes and sees. */
type Maker = Pick<Controller, 'name' | 'kind' | 'owns' | 'watchesSiblings'>;

/** The controllers that make or see objects of a kind. */
export function concernedWith<C extends Maker>(kind: ObjectKind, controllers: readonly C[]): readonly C[] {
  return controllers.filter(
    (controller) => includes(controller.owns, kind) || includes(controller.watchesSiblings, kind),
  );
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
  const isSeen = new Set(concerned.filter(({ watchesSiblings }) => includes(watchesSiblings, kind)));
  return (object) => {
    const maker = object.metadata.labels?.[controllerLabel];
    return concerned.some((one) => (one.name === maker || isSeen.has(one)) && isOfOneThere(object, one.kind, stores));
  };
}

/** True of an object of a resource that the caches have. */
function isOfOneThere(object: LiveObject, kind: ObjectKind, stores: Stores): boolean {
  const claim = ownerAnnotationOf(object);
  return ownerKeysOf(object, kind).some((key) => {
    const owner = stores.of(kind).get(key);
    return owner !== undefined && (claim ? claim.uid === owner.metadata.uid : isOwnedBy(object, owner));
  });
}
