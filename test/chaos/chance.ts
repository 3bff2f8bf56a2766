import { seededRandom } from '../../operator/testing/faults/seeded-random.js';

/** Everything that is left to chance: the same for the same seed. */
export class Chance {
  readonly #random: () => number;

  constructor(readonly seed: number) {
    this.#random = seededRandom(seed);
    this.#random(); // the first number of neighbouring seeds is nearly the same
  }

  /** True so often, of one. */
  is(share: number): boolean {
    return this.#random() < share;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  /** @throws {Error} when there is nothing to choose from */
  one<T>(of: readonly T[]): T {
    const [found] = of.slice(this.between(0, of.length - 1));
    if (found === undefined) throw new Error('there is nothing to choose from');
    return found;
  }

  shuffled<T>(all: readonly T[]): readonly T[] {
    const keyed = all.map((item) => ({ item, key: this.#random() }));
    return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
  }
}
