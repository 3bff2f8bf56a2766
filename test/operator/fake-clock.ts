import type { Clock } from '../../operator/runtime/ports/clock.js';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test lets it go on. */
export class FakeClock implements Clock {
  /** What {@link random} draws. */
  chance = 0.5;
  readonly #epoch = Date.parse('2030-01-01T00:00:00Z');
  readonly #timers = new Set<Timer>();
  #elapsed = 0;

  now(): number {
    return this.#epoch + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  random(): number {
    return this.chance;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#elapsed + Math.max(ms, 0), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers that wait. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Lets time pass: timers call back in order, each after everything that the one before it began has come to rest. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await settled();
    for (let next = this.#due(end); next; next = this.#due(end)) {
      this.#elapsed = Math.max(this.#elapsed, next.at);
      this.#timers.delete(next);
      next.callback();
      await settled();
    }
    this.#elapsed = Math.max(this.#elapsed, end);
  }

  /** Time passes and no timer calls back: the process was stopped. */
  freeze(ms: number): void {
    this.#elapsed += ms;
  }

  #due(end: number): Timer | undefined {
    return [...this.#timers].sort((a, b) => a.at - b.at).find(({ at }) => at <= end);
  }
}

/** Resolves when every promise that can go on without time or I/O has gone on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
