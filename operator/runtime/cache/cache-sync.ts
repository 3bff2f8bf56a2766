import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { hasFinalizer } from '../controller/finalization.js';
import { kindsRead } from '../controller/reads.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import { isDeleting, keyOf, type ObjectKey } from '../kubernetes/object.js';
import type { Store } from './store.js';
import type { Stores } from './stores.js';

/**
 * Knows for which resources of a controller the caches hold everything that a reconcile needs. It remembers the other
 * resources until they do.
 */
export class CacheSync {
  /**
   * The stores that a controller needs, each with whether its kind is optional. Fully synced stores are removed and
   * never come back, because every change of any object iterates over the rest.
   */
  readonly #needed: Map<Store, boolean>;
  readonly #held = new Set<ObjectKey>();

  constructor(readonly context: { readonly controller: Controller; readonly stores: Stores }) {
    const { controller, stores } = context;
    const own = [controller.kind, ...controller.owns, ...controller.watchesSiblings];
    const isOptional = (kind: ObjectKind) => kind.optional === true;
    const needed = [
      ...own.map((kind) => [stores.of(kind), isOptional(kind)] as const),
      ...kindsRead([controller]).map((kind) => [stores.read(kind), isOptional(kind)] as const),
    ];
    // A kind that is listed twice, once as optional, counts as optional.
    this.#needed = new Map(needed.sort(([, one], [, other]) => Number(one) - Number(other)));
  }

  /** True if the resource may be reconciled or is gone. */
  admits(key: ObjectKey): boolean {
    const { controller, stores } = this.context;
    const resource = stores.of(controller.kind).get(key) as CustomResource | undefined;
    const isAdmitted = resource === undefined || this.#covers(resource);
    if (isAdmitted) this.#held.delete(key);
    else this.#held.add(key);
    return isAdmitted;
  }

  /** The resource is gone and waits for nothing. */
  forget(key: ObjectKey): void {
    this.#held.delete(key);
  }

  /**
   * Calls the listener for each resource that was not admitted, each time that more is known.
   * @returns a function that removes the listener
   */
  listen(listener: (key: ObjectKey) => void): () => void {
    const { watched } = this.context.stores;
    return watched.listen(() => {
      for (const store of this.#needed.keys()) if (watched.isTold(store, undefined)) this.#needed.delete(store);
      for (const key of [...this.#held]) listener(key);
    });
  }

  /**
   * The resource's own namespace must be synced, and every place in other namespaces that it refers to must be known. A
   * resource with our finalizer that is being deleted does not wait for kinds that are not served, because they hold
   * nothing to clean up.
   */
  #covers(resource: CustomResource): boolean {
    const { controller, stores } = this.context;
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
