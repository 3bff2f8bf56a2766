import type { Clock } from '../../../runtime/ports/clock.js';
import type { Chance } from './chance.js';
import type { VirtualTime } from './virtual-time.js';

/** Start of every run, in milliseconds since 1970. */
export const epoch = Date.parse('2030-01-01T00:00:00Z');

/**
 * One simulated process. All its timers, responses and watch events go through this class. A dead process gets none of
 * them. A paused process gets all of them when it resumes.
 */
export class SimulatedProcess {
  #state: 'runs' | 'stands still' | 'dead' = 'runs';
  #waiting: (() => void)[] = [];
  readonly #mourners = new Set<() => void>();
  readonly clock: Clock;
  /** Start of the process, in milliseconds of virtual time. */
  readonly born: number;

  constructor(
    /** Unique among all processes of a run. */
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

  /** Calls back in the process after `ms`. @returns a function that cancels the call, even if it is already pending */
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

  /** Kills the process immediately. A second call has no effect. */
  crash(): void {
    if (this.isDead) return;
    this.#state = 'dead';
    this.#waiting = [];
    for (const mourn of this.#mourners) mourn();
  }

  /** Calls back when the process dies. @returns a function that cancels the call */
  mourn(mourner: () => void): () => void {
    this.#mourners.add(mourner);
    return () => this.#mourners.delete(mourner);
  }

  /** Pauses the process like SIGSTOP, and resumes it after `ms`. */
  standStill(ms: number): void {
    if (this.#state !== 'runs') return;
    this.#state = 'stands still';
    this.time.after(ms, () => this.resume());
  }

  /** Resumes the process like SIGCONT. Pending calls run in no particular order. */
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
