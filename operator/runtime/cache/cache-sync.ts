import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { hasFinalizer } from '../controller/finalization.js';
import { kindsRead } from '../controller/reads.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import { isDeleting, keyOf, type ObjectKey } from '../kubernetes/object.js';
import type { Store } from './store.js';
import type { Stores } from './stores.js';

/**
 * Tells for which resources of a controller everything has been told that a pass over them goes by, and remembers the
 * others until it has.
 */
export class CacheSync {
  /**
   * What a controller goes by, and whether it does without where the API server does not serve it; without what all of has
   * been told, which stays so: every change of any object asks.
   */
  readonly #needed: Map<Store, boolean>;
  readonly #held = new Set<ObjectKey>();

  constructor(readonly place: { readonly controller: Controller; readonly stores: Stores }) {
    const { controller, stores } = place;
    const own = [controller.kind, ...controller.owns, ...controller.watchesSiblings];
    const isOptional = (kind: ObjectKind) => kind.optional === true;
    const needed = [
      ...own.map((kind) => [stores.of(kind), isOptional(kind)] as const),
      ...kindsRead([controller]).map((kind) => [stores.read(kind), isOptional(kind)] as const),
    ];
    // Named twice, once as optional, it is.
    this.#needed = new Map(needed.sort(([, one], [, other]) => Number(one) - Number(other)));
  }

  /** True of a resource that may have a pass, or is gone. */
  admits(key: ObjectKey): boolean {
    const { controller, stores } = this.place;
    const resource = stores.of(controller.kind).get(key) as CustomResource | undefined;
    const isAdmitted = resource === undefined || this.#covers(resource);
    if (isAdmitted) this.#held.delete(key);
    else this.#held.add(key);
    return isAdmitted;
  }

  /** A resource is gone: it waits for nothing. */
  forget(key: ObjectKey): void {
    this.#held.delete(key);
  }

  /**
   * Hears, each time that more has been told, of those that were not admitted.
   * @returns what takes the listener off again
   */
  listen(listener: (key: ObjectKey) => void): () => void {
    const { watched } = this.place.stores;
    return watched.listen(() => {
      for (const store of this.#needed.keys()) if (watched.isTold(store, undefined)) this.#needed.delete(store);
      for (const key of [...this.#held]) listener(key);
    });
  }

  /**
   * In its own namespace everything must have been told, and of what it refers to in others. One that we hold and that is
   * being deleted waits for no kind that is not served: of that there is nothing to undo.
   */
  #covers(resource: CustomResource): boolean {
    const { controller, stores } = this.place;
    const { watched } = stores;
    const { namespace } = resource.metadata;
    const isGoing = isDeleting(resource) && hasFinalizer(resource, controller);
    for (const [store, isOptional] of this.#needed) {
      const isEnough = isGoing || isOptional ? watched.isKnown(store, namespace) : watched.isTold(store, namespace);
      if (!isEnough) return false;
    }
    if (isGoing) return true; // its deadline and its release wait for no other namespace: see `referencedObjects`
    const places = stores.reading(controller).placesOf(keyOf(resource.metadata));
    return places.every((place) => watched.isKnown(stores.read(place.kind), place.namespace));
  }
}
