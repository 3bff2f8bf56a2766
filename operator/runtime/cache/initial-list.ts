import { keyOf, type LiveObject, type ObjectKey } from '../kubernetes/object.js';
import { receivedObject } from './received-object.js';
import type { Store } from './store.js';

/**
 * The initial list of a kind, while it arrives. Each object is stripped as the caches keep it, because the managed
 * fields of a thousand objects are larger than the rest of them.
 */
export class InitialList {
  readonly #arrived = new Map<ObjectKey, { readonly object: LiveObject; readonly bytes: number }>();

  /** @param bytes the length of its JSON as received */
  add(object: LiveObject, bytes: number): void {
    this.#arrived.set(keyOf(object.metadata), { object: receivedObject(object), bytes });
  }

  /** The object was deleted meanwhile. */
  remove({ metadata }: LiveObject): void {
    this.#arrived.delete(keyOf(metadata));
  }

  /** @param version of the complete list @param scope its namespace, '' for all */
  fill(store: Store, version: string, scope: string): void {
    const objects = [...this.#arrived.values()].map(({ object }) => object);
    store.replace(objects, version, scope);
    for (const [key, { bytes }] of this.#arrived) store.weigh(key, bytes);
  }
}
