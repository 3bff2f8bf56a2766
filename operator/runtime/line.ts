/** Keys in the order in which they came, each once. To take the first one out costs the same however many have been. */
export class Line {
  readonly #keys = new Set<string>();
  /** Stands before the first key: a new iterator would pass by all that were taken out before it. */
  #first = this.#keys.values();

  get size(): number {
    return this.#keys.size;
  }

  add(key: string): void {
    this.#keys.add(key);
  }

  delete(key: string): void {
    this.#keys.delete(key);
  }

  clear(): void {
    this.#keys.clear();
  }

  /** Takes the first one out; undefined where there is none. */
  shift(): string | undefined {
    let { value, done } = this.#first.next();
    if (done) {
      this.#first = this.#keys.values();
      ({ value, done } = this.#first.next());
    }
    if (done || value === undefined) return undefined;
    this.#keys.delete(value);
    return value;
  }
}
