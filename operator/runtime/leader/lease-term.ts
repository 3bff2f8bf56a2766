import { FencedError } from '../kubernetes/errors.js';
import type { Clock } from '../ports/clock.js';

/** The time during which this process may write: the term of its lease, by the monotonic clock. */
export interface Term {
  /** Aborts when the term ends, together with all requests in flight. */
  readonly signal: AbortSignal;
  /** False once the term is over, even if the process was suspended and no timer has fired yet. */
  holds(): boolean;
}

/** One term, extended by each renewal. */
export class LeaseTerm implements Term {
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
    const cause = new Error('a write in flight may have taken effect');
    this.#over.abort(new FencedError('the lease term is over', { cause }));
  }
}
