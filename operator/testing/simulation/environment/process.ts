import type { Clock } from '../../../runtime/ports/clock.js';
import type { Chance } from './chance.js';
import type { VirtualTime } from './virtual-time.js';

/** Milliseconds since 1970 at the beginning of every run. */
export const epoch = Date.parse('2030-01-01T00:00:00Z');

/**
 * One process, as the world sees it: whatever reaches its code (a timer, an answer, news) goes through here. One that
 * is dead is reached by nothing any more; one that stands still gets all of it when it goes on.
 */
export class SimulatedProcess {
  #state: 'runs' | 'stands still' | 'dead' = 'runs';
  #waiting: (() => void)[] = [];
  readonly #mourners = new Set<() => void>();
  readonly clock: Clock;
  /** When it began, in milliseconds of virtual time. */
  readonly born: number;

  constructor(
    /** Unlike that of every other process that ever was. */
    readonly identity: string,
    readonly time: VirtualTime,
    chance: Chance,
  ) {
    this.born = time.now;
    const skew = chance.between(-60_000, 60_000);
    this.clock = {
      now: () => epoch + skew + time.now,
      monotonic: () => time.now,
      after: (ms, callback) => this.later(ms, callback),
      random: () => chance.unit(),
    };
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }

  get standsStill(): boolean {
    return this.#state === 'stands still';
  }

  /** Reaches the process after `ms`; what it returns calls that off, even when it already waits to be taken up. */
  later(ms: number, callback: () => void): () => void {
    let isOff = false;
    const reach = () => {
      if (!isOff) callback();
    };
    const cancel = this.time.after(ms, () => this.#deliver(reach));
    return () => {
      isOff = true;
      cancel();
    };
  }

  /** Dies without a word, in the middle of whatever it does, and once. */
  crash(): void {
    if (this.isDead) return;
    this.#state = 'dead';
    this.#waiting = [];
    for (const mourn of this.#mourners) mourn();
  }

  /** Calls back when it dies; what it returns calls that off. */
  mourn(mourner: () => void): () => void {
    this.#mourners.add(mourner);
    return () => this.#mourners.delete(mourner);
  }

  /** SIGSTOP, and SIGCONT after `ms`. */
  standStill(ms: number): void {
    if (this.#state !== 'runs') return;
    this.#state = 'stands still';
    this.time.after(ms, () => this.resume());
  }

  /** SIGCONT: all that came meanwhile is taken up, in no particular order. */
  resume(): void {
    if (this.#state !== 'stands still') return;
    this.#state = 'runs';
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const callback of waiting) this.time.after(0, () => this.#deliver(callback));
  }

  #deliver(callback: () => void): void {
    if (this.#state === 'runs') callback();
    else if (this.#state === 'stands still') this.#waiting.push(callback);
  }
}
