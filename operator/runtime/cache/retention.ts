import type { Controller } from '../controller/controller.js';
import { includes, type ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject } from '../kubernetes/object.js';
import { controllerLabel } from '../kubernetes/well-known-names.js';
import { isOwnedBy, ownerAnnotationOf, ownerKeysOf } from '../ownership/ownership-labels.js';
import type { Stores } from './stores.js';

/** The part of a controller that shows which objects it creates and sees. */
type Maker = Pick<Controller, 'name' | 'kind' | 'owns' | 'watchesSiblings'>;

/** The controllers that create or see objects of a kind. */
export function concernedWith<C extends Maker>(kind: ObjectKind, controllers: readonly C[]): readonly C[] {
  return controllers.filter(
    (controller) => includes(controller.owns, kind) || includes(controller.watchesSiblings, kind),
  );
}

/**
 * Decides which labelled objects of a kind are kept whole: those that a controller of this process created for an
 * existing resource, and those of siblings that it sees. The metadata is enough for all others. Any user can set our
 * label on objects of any size and number, with owners that never existed.
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

/** True if the object belongs to a resource in the caches. */
function isOfOneThere(object: LiveObject, kind: ObjectKind, stores: Stores): boolean {
  const claim = ownerAnnotationOf(object);
  return ownerKeysOf(object, kind).some((key) => {
    const owner = stores.of(kind).get(key);
    return owner !== undefined && (claim ? claim.uid === owner.metadata.uid : isOwnedBy(object, owner));
  });
}
