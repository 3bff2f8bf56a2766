import { keyOf, type LiveObject, type ObjectKey } from '../kubernetes/object.js';
import { receivedObject } from './received-object.js';
import type { Store } from './store.js';

/**
 * Everything there is of a kind, while it arrives. It waits for the last of it as the caches keep it: what a thousand
 * objects say of their fields' owners is larger than all that is kept of them.
 */
export class InitialList {
  readonly #arrived = new Map<ObjectKey, { readonly object: LiveObject; readonly bytes: number }>();

  /** @param bytes how long its JSON was as it came */
  add(object: LiveObject, bytes: number): void {
    this.#arrived.set(keyOf(object.metadata), { object: receivedObject(object), bytes });
  }

  /** It was deleted meanwhile. */
  remove({ metadata }: LiveObject): void {
    this.#arrived.delete(keyOf(metadata));
  }

  /** @param version as of which it is everything @param scope its namespace, '' for all */
  fill(store: Store, version: string, scope: string): void {
    const objects = [...this.#arrived.values()].map(({ object }) => object);
    store.replace(objects, version, scope);
    for (const [key, { bytes }] of this.#arrived) store.weigh(key, bytes);
  }
}
