import type { Chance } from './chance.js';

interface Due {
  readonly at: number;
  /** Decides between those of the same time. */
  readonly tie: number;
  readonly callback: () => void;
}

/**
 * Time that passes only in {@link VirtualTime.advance}. Everything that happens in a simulation is a callback of its
 * own here, run when all that the one before it began has come to rest: so a run depends on nothing but its seed.
 */
export class VirtualTime {
  #now = 0;
  /** The next one last. */
  readonly #due: Due[] = [];

  constructor(readonly chance: Chance) {}

  /** Milliseconds since the beginning. */
  get now(): number {
    return this.#now;
  }

  /** Calls back after `ms`; what it returns calls that off. */
  after(ms: number, callback: () => void): () => void {
    const due: Due = { at: this.#now + Math.max(ms, 0), tie: this.chance.unit(), callback };
    this.#due.splice(this.#placeOf(due), 0, due);
    return () => {
      const index = this.#due.indexOf(due);
      if (index >= 0) this.#due.splice(index, 1);
    };
  }

  /** Lets time pass, or less of it: until a condition is met after something happened. */
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

/** Resolves when every promise that can go on without time has gone on: nothing in a simulation waits for I/O. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
