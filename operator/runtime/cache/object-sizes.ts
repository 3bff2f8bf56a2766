import type { ObjectKey } from '../kubernetes/object.js';

/** The sizes of the objects in a cache, by the length of their JSON as received. */
export class ObjectSizes {
  readonly #bytes = new Map<ObjectKey, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  set(key: ObjectKey, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(key) ?? 0);
    this.#bytes.set(key, bytes);
  }

  delete(key: ObjectKey): void {
    this.#total -= this.#bytes.get(key) ?? 0;
    this.#bytes.delete(key);
  }
}
