import type { Chance } from './chance.js';

interface Due {
  readonly at: number;
  /** Orders callbacks of the same time. */
  readonly tie: number;
  readonly callback: () => void;
}

/**
 * Time that passes only in {@link VirtualTime.advance}. Every event of a simulation is a callback here. Each callback
 * runs after all promises of the previous one have settled, so a run depends only on its seed.
 */
export class VirtualTime {
  #now = 0;
  /** Sorted, with the next callback last. */
  readonly #due: Due[] = [];

  constructor(readonly chance: Chance) {}

  /** Milliseconds since the start. */
  get now(): number {
    return this.#now;
  }

  /** Calls back after `ms`. @returns a function that cancels the call */
  after(ms: number, callback: () => void): () => void {
    const due: Due = { at: this.#now + Math.max(ms, 0), tie: this.chance.unit(), callback };
    this.#due.splice(this.#placeOf(due), 0, due);
    return () => {
      const index = this.#due.indexOf(due);
      if (index >= 0) this.#due.splice(index, 1);
    };
  }

  /** Advances the time by `ms`, or until a condition holds after a callback. */
  async advance(ms: number, until: () => boolean = () => false): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (let next = this.#due.at(-1); next && next.at <= end; next = this.#due.at(-1)) {
      this.#due.pop();
      this.#now = next.at;
      next.callback();
      await settled();
      if (until()) return;
    }
    this.#now = end;
  }

  #placeOf(due: Due): number {
    let [low, high] = [0, this.#due.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#due[middle];
      if (other && isLater(other, due)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isLater(a: Due, b: Due): boolean {
  return a.at === b.at ? a.tie > b.tie : a.at > b.at;
}

/** Resolves when all promises that do not depend on time have settled. A simulation never waits for I/O. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
