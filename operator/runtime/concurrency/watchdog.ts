import type { Clock } from '../ports/clock.js';

/**
 * Listens for signs of life, and aborts its signal when there was none for so long. It takes one timer, however often
 * something is heard.
 */
export class Watchdog {
  readonly #over = new AbortController();
  readonly #clock: Clock;
  /** Milliseconds. */
  readonly #patience: number;
  #heard: number;
  #cancel: () => void;

  /** @param patience milliseconds */
  constructor(clock: Clock, patience: number) {
    this.#clock = clock;
    this.#patience = patience;
    this.#heard = clock.monotonic();
    this.#cancel = clock.after(patience, () => this.#look());
  }

  /** Aborts when the patience is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  heard(): void {
    this.#heard = this.#clock.monotonic();
  }

  /** Nobody listens any more. */
  end(): void {
    this.#cancel();
  }

  #look(): void {
    const left = this.#heard + this.#patience - this.#clock.monotonic();
    if (left > 0) this.#cancel = this.#clock.after(left, () => this.#look());
    else this.#over.abort(new Error(`no word in ${this.#patience / 1000} s`));
  }
}
