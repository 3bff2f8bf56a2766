import type { ObjectKey } from './object.js';

/** How large the objects of a cache are, each and together: by the length of the JSON as which they were received. */
export class Weights {
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
