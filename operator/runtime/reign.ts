import type { Clock } from './clock.js';
import { FencedError } from './errors.js';
import type { Term } from './fence.js';

/** One term, extended by each renewal. */
export class Reign implements Term {
  readonly #over = new AbortController();
  readonly signal: AbortSignal = this.#over.signal;
  #until = 0;
  #cancel = () => {};

  /** @param until monotonic */
  constructor(
    readonly clock: Clock,
    until: number,
  ) {
    this.extend(until);
  }

  holds(): boolean {
    return !this.signal.aborted && this.clock.monotonic() < this.#until;
  }

  extend(until: number): void {
    if (this.signal.aborted) return;
    this.#until = until;
    this.#cancel();
    this.#cancel = this.clock.after(until - this.clock.monotonic(), () => this.end());
  }

  end(): void {
    this.#cancel();
    const cause = new Error('what was on its way may have arrived');
    this.#over.abort(new FencedError('the term of the lease is over', { cause }));
  }
}
