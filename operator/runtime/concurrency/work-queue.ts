import { randomUUID } from 'node:crypto';
import type { Clock } from '../ports/clock.js';
import { type Backoff, reconcileBackoff, waitAfter } from './backoff.js';

/** Who waits for the pass: a person who edited, something that happened, or nobody (a first list, a periodic look). */
export type Priority = 'edit' | 'event' | 'routine';

const priorities: readonly Priority[] = ['edit', 'event', 'routine'];

/** Every so many turns another priority goes first, so that edits without end cannot starve the rest. */
const fairTurn = 4;
const favoured: readonly Priority[] = ['event', 'routine'];

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** Passes at a time. */
  readonly maxConcurrentReconciles: number;
  /**
   * One pass. What it throws counts as a failure of the key.
   * @returns milliseconds after which to look again at the latest, or undefined to wait for a change
   */
  readonly run: (key: string, attempt: Attempt) => Promise<number | undefined>;
  /** How long a failure is waited out. @default reconcileBackoff */
  readonly backoff?: (error: unknown) => Backoff;
  /** Milliseconds that whoever failed it asks to be left alone for, before that. @default 0 */
  readonly asked?: (error: unknown) => number;
  /** Hears of each key that is owed a pass, once, and of each pass that begins, with the milliseconds it was owed. */
  readonly heard?: { owed(): void; began(waited: number): void };
  /** Hears of a failed pass, as a part of it: the key stays taken until it ends. Should not reject: nobody hears of it. */
  readonly failed?: (key: string, error: unknown, attempt: Attempt) => Promise<void>;
}

export interface Attempt {
  /** Failures in a row before this pass. */
  readonly failures: number;
  /** Unlike that of every other pass. */
  readonly id: string;
}

/** What a queue has to do at a moment. */
export interface Load {
  /** Keys that wait for a worker. */
  readonly waiting: Readonly<Record<Priority, number>>;
  /** Milliseconds since each pass that runs began. */
  readonly running: readonly number[];
}

/** A key from its first add until nothing is left to do for it. */
interface Entry {
  /** When its pass began (monotonic); undefined while none runs. */
  began?: number | undefined;
  /** Set while a pass is owed: what waits in that priority's line, or was added while running. */
  owed?: Priority | undefined;
  /** Since when it is owed (monotonic). */
  since: number;
  failures: number;
  /** A pass that is due later, and when (monotonic). */
  later?: { at: number; cancel: () => void } | undefined;
}

/**
 * Decides which key runs next. Holds keys only, never objects: a pass reads what is true when it starts.
 *
 * Guarantees, per key: never two passes at once; any number of {@link WorkQueue.add}s while waiting make one pass; an add
 * during a pass makes exactly one more after it; a pass that fails is tried again after a growing wait, which an event
 * neither shortens nor lengthens and an edit ends; a pass that does not fail ends the row of failures. Of two times to
 * look again the earlier one counts, and a pass in between settles both.
 */
export class WorkQueue {
  readonly #entries = new Map<string, Entry>();
  readonly #lines: Readonly<Record<Priority, Fifo>> = { edit: new Fifo(), event: new Fifo(), routine: new Fifo() };
  #running = 0;
  #turns = 0;
  #open = false;
  #idle: (() => void) | undefined;

  constructor(readonly options: WorkQueueOptions) {}

  /** Keys that wait for a worker. */
  get depth(): number {
    return priorities.reduce((sum, priority) => sum + this.#lines[priority].size, 0);
  }

  /** Keys that anything is left to do for: those that wait, run, or are to be looked at again. */
  get size(): number {
    return this.#entries.size;
  }

  get active(): number {
    return this.#running;
  }

  get load(): Load {
    const { edit, event, routine } = this.#lines;
    const now = this.options.clock.monotonic();
    const running = [...this.#entries.values()].flatMap(({ began }) => (began === undefined ? [] : [now - began]));
    return { waiting: { edit: edit.size, event: event.size, routine: routine.size }, running };
  }

  /** Lets passes run; keys may have been added before. */
  open(): void {
    this.#open = true;
    this.#pump();
  }

  /** Takes no more passes up, drops what waits, and resolves when those that run have ended. */
  async close(): Promise<void> {
    this.#open = false;
    for (const [key, entry] of this.#entries) {
      entry.later?.cancel();
      if (entry.began === undefined) this.#entries.delete(key);
    }
    for (const priority of priorities) this.#lines[priority].clear();
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    this.#entries.clear();
  }

  /** A pass is owed, as soon as a worker is free and no failure is being waited out. */
  add(key: string, priority: Priority = 'event'): void {
    const entry = this.#entryOf(key);
    const waitsOutFailure = entry.failures > 0 && entry.later !== undefined;
    if (waitsOutFailure && priority !== 'edit') return;
    if (entry.owed !== undefined && !isHigher(priority, entry.owed)) return;
    if (entry.owed === undefined) {
      entry.since = this.options.clock.monotonic();
      this.options.heard?.owed();
    } else this.#lines[entry.owed].delete(key);
    entry.owed = priority;
    if (entry.began !== undefined) return;
    this.#lines[priority].add(key);
    this.#pump();
  }

  /** A pass is owed after `ms` at the latest. */
  addAfter(key: string, ms: number): void {
    const entry = this.#entryOf(key);
    const at = this.options.clock.monotonic() + ms;
    if (entry.later && entry.later.at <= at) return;
    entry.later?.cancel();
    const cancel = this.options.clock.after(ms, () => {
      entry.later = undefined;
      this.add(key, entry.failures > 0 ? 'event' : 'routine');
    });
    entry.later = { at, cancel };
  }

  #entryOf(key: string): Entry {
    const entry = this.#entries.get(key) ?? { since: 0, failures: 0 };
    this.#entries.set(key, entry);
    return entry;
  }

  #pump(): void {
    while (this.#open && this.#running < this.options.maxConcurrentReconciles) {
      const key = this.#next();
      if (key === undefined) return;
      void this.#run(key);
    }
  }

  #next(): string | undefined {
    const fair = ++this.#turns % fairTurn === 0;
    const first = fair ? [favoured[(this.#turns / fairTurn) % favoured.length] ?? 'event'] : [];
    const line = [...first, ...priorities].map((priority) => this.#lines[priority]).find(({ size }) => size > 0);
    return line?.shift();
  }

  async #run(key: string): Promise<void> {
    const entry = this.#entryOf(key);
    entry.began = this.options.clock.monotonic();
    this.options.heard?.began(entry.began - entry.since);
    entry.owed = undefined;
    entry.later?.cancel();
    entry.later = undefined;
    this.#running++;
    const attempt = { failures: entry.failures, id: randomUUID() };
    try {
      const again = await this.options.run(key, attempt);
      entry.failures = 0;
      if (again !== undefined) this.addAfter(key, again);
    } catch (error) {
      entry.failures++;
      await this.options.failed?.(key, error, attempt).catch(() => {}); // told or not, it is tried again
      // An edit that came during the pass does not wait; anything else is settled by the retry.
      if (entry.owed !== 'edit') entry.owed = undefined;
      const wait = waitAfter(entry.failures, this.#backoff(error), this.options.clock.random());
      if (!entry.owed) this.addAfter(key, (this.options.asked?.(error) ?? 0) + wait);
    }
    this.#settle(key, entry);
  }

  #backoff(error: unknown): Backoff {
    return this.options.backoff?.(error) ?? reconcileBackoff;
  }

  #settle(key: string, entry: Entry): void {
    entry.began = undefined;
    this.#running--;
    if (!this.#open) {
      entry.later?.cancel();
      if (this.#running === 0) this.#idle?.();
      return;
    }
    if (entry.owed) this.#lines[entry.owed].add(key);
    else if (!entry.later) this.#entries.delete(key);
    this.#pump();
  }
}

function isHigher(a: Priority, b: Priority): boolean {
  return priorities.indexOf(a) < priorities.indexOf(b);
}

/** Keys in the order in which they came, each once. To take the first one out costs the same however many have been. */
export class Fifo {
  readonly #keys = new Set<string>();
  /** Stands before the first key: a new iterator would pass by all that were taken out before it. */
  #first = this.#keys.values();

  get size(): number {
    return this.#keys.size;
  }

  add(key: string): void {
    this.#keys.add(key);
  }

  delete(key: string): void {
    this.#keys.delete(key);
  }

  clear(): void {
    this.#keys.clear();
  }

  /** Takes the first one out; undefined where there is none. */
  shift(): string | undefined {
    let { value, done } = this.#first.next();
    if (done) {
      this.#first = this.#keys.values();
      ({ value, done } = this.#first.next());
    }
    if (done || value === undefined) return undefined;
    this.#keys.delete(value);
    return value;
  }
}
