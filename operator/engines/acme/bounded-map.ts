/** A map by text that keeps the entries that were set last. A lost entry costs a request. */
export class BoundedMap<V> {
  readonly #entries = new Map<string, V>();

  constructor(readonly size: number) {}

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.size && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
