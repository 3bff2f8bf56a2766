/** Pseudorandom numbers. The same seed gives the same numbers on every machine. */
export class Chance {
  #state: number;

  constructor(readonly seed: string) {
    this.#state = hashOf(seed);
  }

  /** An independent source, which does not affect the numbers of this one. */
  fork(name: string): Chance {
    return new Chance(`${this.seed}/${name}`);
  }

  /**
   * Uniform in [0, 1).
   * @see https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32
   */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  happens(probability: number): boolean {
    return this.unit() < probability;
  }

  /** Uniform in [least, most). */
  between(least: number, most: number): number {
    return least + (most - least) * this.unit();
  }

  /** Log-uniform in [least, most). Both limits must be above 0. */
  spread(least: number, most: number): number {
    return least * (most / least) ** this.unit();
  }

  /** @throws {Error} if the list is empty */
  pick<T>(from: readonly T[]): T {
    const index = Math.floor(this.unit() * from.length);
    if (index >= from.length) throw new Error('the list to pick from must not be empty');
    return from[index] as T;
  }
}

/** A 32-bit hash of a text. @see http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}
