import type { Clock } from '../ports/clock.js';

/** Aborts its signal if it is not fed for a given time. It uses one timer, however often it is fed. */
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

  /** Aborts when the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  heard(): void {
    this.#heard = this.#clock.monotonic();
  }

  /** Stops the watchdog. */
  end(): void {
    this.#cancel();
  }

  #look(): void {
    const left = this.#heard + this.#patience - this.#clock.monotonic();
    if (left > 0) this.#cancel = this.#clock.after(left, () => this.#look());
    else this.#over.abort(new Error(`no message within ${this.#patience / 1000} s`));
  }
}
