import type { Blocker, BlockerReason } from '../controller/blocker.js';
import type { Clock } from '../ports/clock.js';

/** Milliseconds within which what is done again and again counts as one row. */
const window = 300_000;
/** Milliseconds for which a write that was cut is not tried. */
const openFor = 300_000;
/** Milliseconds after a try for which it must hold: a war of five rounds in five minutes has one at least that often. */
const probation = window / 4;
/** Of one id: more are not needed to tell a row. */
const rememberedTimes = 32;

/** A row of writes that was cut. */
interface Cut {
  readonly reason: BlockerReason;
  readonly message: string;
  readonly fields: readonly string[];
  /** Of the spec that was in force: an edit ends the cut. */
  readonly generation: number;
  /** `open`: nothing is written until then. `tried`: one write was let through, and has to hold until then. */
  readonly state: 'open' | 'tried';
  readonly until: number;
}

interface Entry {
  /** By field: when it was written. */
  readonly times: Map<string, readonly number[]>;
  /** Of the spec for which it was written: what an edit asks for is no part of a row. */
  generation: number;
  /** By field: whom it was taken back from. */
  readonly writers: Map<string, string>;
  /** The wish that was written last. */
  wish: string;
  latest: number;
  /** The fields of the write that was counted last, until it is known what became of it. */
  underway: readonly string[];
  cut?: Cut | undefined;
}

/** A write that is about to be made, by what it is about. */
export interface Intent {
  /** Of the object. */
  readonly id: string;
  /** Of the resource's spec. */
  readonly generation: number;
  /** The fingerprint of what is wanted. */
  readonly wish: string;
  readonly fields: readonly string[];
}

/**
 * Counts what is written again and again, and holds a write back that was cut: for five minutes, then one is let
 * through, and the cut lasts on if that does not hold. An edit of the spec ends it at once.
 *
 * In memory: another process counts anew. Holds nothing of what is written once, or more seldom than that.
 */
export class WriteBreaker {
  /** The one that was written last comes last. */
  readonly #entries = new Map<string, Entry>();

  constructor(readonly clock: Clock) {}

  /**
   * Whether a write must wait.
   * @returns why; undefined when it may be made
   */
  holds(intent: Intent): Blocker | undefined {
    const entry = this.#entries.get(intent.id);
    const cut = entry?.cut;
    if (!entry || !cut) return undefined;
    const now = this.clock.monotonic();
    const isBack = cut.state === 'tried' && intent.fields.some((field) => cut.fields.includes(field));
    if (cut.generation !== intent.generation) this.#entries.delete(intent.id);
    else if (now < cut.until && cut.state === 'open') return toldOf(cut, now);
    else if (now < cut.until && isBack)
      return toldOf(this.#set(entry, { ...cut, state: 'open', until: now + openFor }), now);
    else if (cut.state === 'open') this.#set(entry, { ...cut, state: 'tried', until: now + probation });
    else if (now >= cut.until) this.#entries.delete(intent.id);
    return undefined;
  }

  /**
   * Takes note of a write.
   * @returns by field, how often it was written within the window and for the same spec, this time included
   */
  count({ id, generation, wish, fields }: Intent): ReadonlyMap<string, number> {
    const now = this.clock.monotonic();
    const entry = this.#entryOf(id, now);
    if (entry.generation !== generation) entry.times.clear();
    entry.generation = generation;
    const counts = new Map<string, number>();
    for (const field of fields) {
      const recent = (entry.times.get(field) ?? []).filter((time) => now - time < window);
      const times = [...recent, now].slice(-rememberedTimes);
      entry.times.set(field, times);
      counts.set(field, times.length);
    }
    entry.wish = wish;
    entry.underway = fields;
    entry.latest = Math.max(now, entry.cut?.until ?? now);
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    this.#forgetOld(now);
    return counts;
  }

  /** Hears that the write that was counted last was not made, as far as is known: nobody can have undone it. */
  failed(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry || entry.underway.length === 0) return;
    for (const field of entry.underway) entry.times.set(field, entry.times.get(field)?.slice(0, -1) ?? []);
    entry.underway = [];
    entry.wish = '';
  }

  /** True when the write that was counted last had the same wish: somebody undid it. */
  isRepeated({ id, wish }: Pick<Intent, 'id' | 'wish'>): boolean {
    return this.#entries.get(id)?.wish === wish;
  }

  /**
   * Takes note of whom a field is taken back from.
   * @returns false when it was another one before: a row of its own begins
   */
  blame(id: string, field: string, writer: string): boolean {
    const now = this.clock.monotonic();
    const entry = this.#entryOf(id, now);
    const before = entry.writers.get(field) ?? writer;
    entry.writers.set(field, writer);
    if (before === writer) return true;
    entry.times.set(field, [now]);
    return false;
  }

  /** Lets no write of these fields through from here on. */
  cut({ id, generation, fields }: Intent, reason: BlockerReason, message: string): Blocker {
    const now = this.clock.monotonic();
    const entry = this.#entryOf(id, now);
    this.#entries.set(id, entry);
    entry.times.clear();
    return toldOf(this.#set(entry, { reason, message, fields, generation, state: 'open', until: now + openFor }), now);
  }

  /**
   * Hears that an object is as desired: by itself, which ends the cut, or by the write that was let through, which has to
   * hold for a while.
   * @returns what is still to be said of it
   */
  rests(id: string, generation: number): Blocker | undefined {
    if (this.#entries.size === 0) return undefined;
    const entry = this.#entries.get(id);
    if (entry) entry.underway = [];
    const cut = entry?.cut;
    if (!cut) return undefined;
    const now = this.clock.monotonic();
    if (cut.state === 'tried' && now < cut.until && cut.generation === generation) return toldOf(cut, now);
    this.#entries.delete(id);
    return undefined;
  }

  /** Of an object that is gone. */
  forget(id: string): void {
    this.#entries.delete(id);
  }

  /** Whether anything is known of an object: of most there is not. */
  knows(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Objects that are held in memory. */
  get size(): number {
    return this.#entries.size;
  }

  #entryOf(id: string, now: number): Entry {
    const fresh = { times: new Map(), writers: new Map(), wish: '', latest: now, underway: [], generation: 0 };
    return this.#entries.get(id) ?? fresh;
  }

  #set(entry: Entry, cut: Cut): Cut {
    entry.cut = cut;
    entry.latest = cut.until;
    return cut;
  }

  #forgetOld(now: number): void {
    for (const [id, { latest }] of this.#entries) {
      if (now - latest < window) return;
      this.#entries.delete(id);
    }
  }
}

function toldOf({ reason, message, until }: Cut, now: number): Blocker {
  return { reason, message, requeueAfter: until - now };
}
