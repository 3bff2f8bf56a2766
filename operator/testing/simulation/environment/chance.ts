/** Chance that a seed decides: the same seed draws the same, on every machine. */
export class Chance {
  #state: number;

  constructor(readonly seed: string) {
    this.#state = hashOf(seed);
  }

  /** A source of its own: what is drawn from it moves nothing that is drawn from here. */
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

  /** As likely near a small value as near a large one. Both above 0. */
  spread(least: number, most: number): number {
    return least * (most / least) ** this.unit();
  }

  /** @throws {Error} when there is nothing to pick from */
  pick<T>(from: readonly T[]): T {
    const index = Math.floor(this.unit() * from.length);
    if (index >= from.length) throw new Error('nothing to pick from: look before you draw');
    return from[index] as T;
  }
}

/** 32 bits of a text. @see http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}
