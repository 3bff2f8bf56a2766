import type { Blocker, BlockerReason } from '../controller/blocker.js';
import type { Clock } from '../ports/clock.js';

/** Milliseconds within which repeated writes count as one series. */
const window = 300_000;
/** Milliseconds for which a suspended write is not tried. */
const openFor = 300_000;
/**
 * Milliseconds for which a trial write must hold. A conflict of five rounds in five minutes has one round at least that
 * often.
 */
const probation = window / 4;
/** The number of times that are remembered for one ID. More are not needed to detect a series. */
const rememberedTimes = 32;

/** A series of writes that was suspended. */
interface Cut {
  readonly reason: BlockerReason;
  readonly message: string;
  readonly fields: readonly string[];
  /** The generation of the spec at that time. An edit ends the suspension. */
  readonly generation: number;
  /** `open`: nothing is written until then. `tried`: one write was let through and must hold until then. */
  readonly state: 'open' | 'tried';
  readonly until: number;
}

interface Entry {
  /** By field: when it was written. */
  readonly times: Map<string, readonly number[]>;
  /** The generation of the spec for which it was written. Writes for an edit are not part of a series. */
  generation: number;
  /** By field: the manager whose change was reverted. */
  readonly writers: Map<string, string>;
  /** The manifest that was written last. */
  wish: string;
  latest: number;
  /** The fields of the last counted write, until its result is known. */
  underway: readonly string[];
  cut?: Cut | undefined;
}

/** A planned write, by its subject. */
export interface Intent {
  /** The ID of the object. */
  readonly id: string;
  /** The generation of the resource's spec. */
  readonly generation: number;
  /** The fingerprint of the desired manifest. */
  readonly wish: string;
  readonly fields: readonly string[];
}

/**
 * Counts repeated writes and suspends them: for five minutes nothing is written, then one write is let through. If it
 * does not hold, the suspension continues. An edit of the spec ends it at once.
 *
 * In memory only: another process counts from zero. Holds nothing about objects that are written once or rarely.
 */
export class WriteBreaker {
  /** Ordered by the last write, the latest last. */
  readonly #entries = new Map<string, Entry>();

  constructor(readonly clock: Clock) {}

  /**
   * Whether a write must wait.
   * @returns the blocker, or undefined if the write may be sent
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
   * Records a write.
   * @returns by field, how often it was written within the window and for the same spec, including this time
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

  /** The last counted write was not carried out, as far as is known, so no other writer can have reverted it. */
  failed(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry || entry.underway.length === 0) return;
    for (const field of entry.underway) entry.times.set(field, entry.times.get(field)?.slice(0, -1) ?? []);
    entry.underway = [];
    entry.wish = '';
  }

  /** True if the last counted write had the same manifest: another writer reverted it. */
  isRepeated({ id, wish }: Pick<Intent, 'id' | 'wish'>): boolean {
    return this.#entries.get(id)?.wish === wish;
  }

  /**
   * Records whose change of a field is reverted.
   * @returns false if it was another manager before: a new series starts
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

  /** Suspends writes of these fields from now on. */
  cut({ id, generation, fields }: Intent, reason: BlockerReason, message: string): Blocker {
    const now = this.clock.monotonic();
    const entry = this.#entryOf(id, now);
    this.#entries.set(id, entry);
    entry.times.clear();
    return toldOf(this.#set(entry, { reason, message, fields, generation, state: 'open', until: now + openFor }), now);
  }

  /**
   * The object is as desired. If that happened without our write, the suspension ends. A trial write must hold for a
   * while.
   * @returns the blocker that is still to be reported
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

  /** For an object that is gone. */
  forget(id: string): void {
    this.#entries.delete(id);
  }

  /** Whether anything is known of an object. For most objects nothing is. */
  knows(id: string): boolean {
    return this.#entries.has(id);
  }

  /** The number of objects that are held in memory. */
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
