import { randomUUID } from 'node:crypto';
import type { Clock } from '../ports/clock.js';
import { type Backoff, reconcileBackoff, waitAfter } from './backoff.js';

/**
 * Who waits for the reconcile: a user who edited (`edit`), an event (`event`), or neither (`routine`: an initial list,
 * a resync).
 */
export type Priority = 'edit' | 'event' | 'routine';

const priorities: readonly Priority[] = ['edit', 'event', 'routine'];

/** After this number of turns another priority goes first, so that continuous edits cannot starve the rest. */
const fairTurn = 4;
const favoured: readonly Priority[] = ['event', 'routine'];

/**
 * Why a key was added, for people: `Deployment team/web`, `edit of generation 4`. A queue keeps them only on request, so
 * nothing is allocated where nobody asks for them.
 */
export type Cause = string;

/** The number of causes that are kept for one reconcile. The last one then stands for all further ones. */
const mostCauses = 8;
const more = 'others';

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** The number of concurrent reconciles. */
  readonly maxConcurrentReconciles: number;
  /**
   * Runs one reconcile. An error counts as a failure of the key.
   * @returns milliseconds until the next reconcile at the latest, or undefined to wait for a change
   */
  readonly run: (key: string, attempt: Attempt) => Promise<number | undefined>;
  /** The backoff after a failure. @default reconcileBackoff */
  readonly backoff?: (error: unknown) => Backoff;
  /** Set to keep causes: those of reconciles after a time and after a failure. @default - no causes are kept */
  readonly causes?: { readonly timer: Cause; readonly retry: Cause } | undefined;
  /** Milliseconds that the failed server asks to wait at least. @default 0 */
  readonly asked?: (error: unknown) => number;
  /**
   * Called once for each key that is due, and for each reconcile that starts, with the milliseconds that it has waited.
   */
  readonly heard?: { owed(): void; began(waited: number): void };
  /**
   * Called for a failed reconcile, as a part of it: the key stays busy until it resolves. It should not reject, because
   * the error would be lost.
   */
  readonly failed?: (key: string, error: unknown, attempt: Attempt) => Promise<void>;
}

export interface Attempt {
  /** Consecutive failures before this reconcile. */
  readonly failures: number;
  /** Unique among all reconciles. */
  readonly id: string;
  /** Why it was requested, up to a limit. Undefined if causes are not kept. */
  readonly causes?: ReadonlySet<Cause> | undefined;
}

/** The work of a queue at one moment. */
export interface Load {
  /** The keys that wait for a worker. */
  readonly waiting: Readonly<Record<Priority, number>>;
  /** Milliseconds since each running reconcile started. */
  readonly running: readonly number[];
}

/** A key from its first add until nothing is left to do for it. */
interface Entry {
  /** When its reconcile started (monotonic). Undefined while none runs. */
  began?: number | undefined;
  /** Set while a reconcile is due: the key waits in the queue of that priority, or was added while running. */
  owed?: Priority | undefined;
  /** Since when it is due (monotonic). */
  since: number;
  failures: number;
  /** Why the next reconcile is requested. Undefined if none is kept. */
  causes?: Set<Cause> | undefined;
  /** A reconcile that is due later, and when (monotonic). */
  later?: { at: number; cancel: () => void } | undefined;
}

/**
 * Decides which key runs next. It holds only keys, never objects: a reconcile reads the state when it starts.
 *
 * Guarantees for each key: two reconciles never overlap. Any number of {@link WorkQueue.add}s while the key waits cause
 * one reconcile, and adds during a reconcile cause exactly one more. A failed reconcile is retried after a growing
 * delay, which an event does not change and an edit ends. A successful reconcile resets the count of failures. Of two
 * requested times the earlier one counts, and a reconcile before both replaces both.
 */
export class WorkQueue {
  readonly #entries = new Map<string, Entry>();
  readonly #lines: Readonly<Record<Priority, Fifo>> = { edit: new Fifo(), event: new Fifo(), routine: new Fifo() };
  #running = 0;
  #turns = 0;
  #open = false;
  #idle: (() => void) | undefined;

  constructor(readonly options: WorkQueueOptions) {}

  /** The number of keys that wait for a worker. */
  get depth(): number {
    return priorities.reduce((sum, priority) => sum + this.#lines[priority].size, 0);
  }

  /** The number of keys with work left: waiting, running, or due later. */
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

  /** Starts to run reconciles. Keys may have been added before. */
  open(): void {
    this.#open = true;
    this.#pump();
  }

  /** Starts no more reconciles, drops the waiting keys, and resolves when the running reconciles have ended. */
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

  /** Requests a reconcile as soon as a worker is free and no backoff is active. */
  add(key: string, priority: Priority = 'event', cause?: Cause): void {
    const entry = this.#entryOf(key);
    if (cause !== undefined && this.options.causes) note(entry, cause);
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

  /** Requests a reconcile after `ms` at the latest. */
  addAfter(key: string, ms: number): void {
    const entry = this.#entryOf(key);
    const at = this.options.clock.monotonic() + ms;
    if (entry.later && entry.later.at <= at) return;
    entry.later?.cancel();
    const cancel = this.options.clock.after(ms, () => {
      entry.later = undefined;
      const isRetry = entry.failures > 0;
      this.add(key, isRetry ? 'event' : 'routine', isRetry ? this.options.causes?.retry : this.options.causes?.timer);
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
    const attempt = { failures: entry.failures, id: randomUUID(), causes: entry.causes };
    entry.causes = undefined;
    try {
      const again = await this.options.run(key, attempt);
      entry.failures = 0;
      if (again !== undefined) this.addAfter(key, again);
    } catch (error) {
      entry.failures++;
      await this.options.failed?.(key, error, attempt).catch(() => {}); // reported or not, it is retried
      // An edit during the reconcile does not wait. The retry covers everything else.
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

function note(entry: Entry, cause: Cause): void {
  entry.causes ??= new Set();
  entry.causes.add(entry.causes.size < mostCauses - 1 ? cause : more);
}

function isHigher(a: Priority, b: Priority): boolean {
  return priorities.indexOf(a) < priorities.indexOf(b);
}

/**
 * Keys in the order in which they were added, each once. Removing the first one has a constant cost, however many there
 * have been.
 */
export class Fifo {
  readonly #keys = new Set<string>();
  /** Points before the first key. A new iterator would step over all keys that were removed before it. */
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

  /** Removes and returns the first key. Undefined if there is none. */
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
