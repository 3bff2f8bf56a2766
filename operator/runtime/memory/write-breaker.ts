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

/** What is remembered of the writes of one object. */
export interface Series {
  /** By field: when it was written. */
  readonly times: ReadonlyMap<string, readonly number[]>;
  /** The generation of the spec for which it was written. Writes for an edit are not part of a series. */
  readonly generation: number;
  /** By field: the manager whose change was reverted. */
  readonly writers: ReadonlyMap<string, string>;
  /** The manifest that was written last. */
  readonly wish: string;
  readonly latest: number;
  /** The fields of the last counted write, until its result is known. */
  readonly underway: readonly string[];
  readonly cut?: Cut;
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

/** What follows for a write, and what is remembered from then on. Without a series nothing is. */
interface Judged {
  readonly series?: Series | undefined;
  /** Undefined if the write may be sent. */
  readonly blocker?: Blocker;
}

/**
 * The series of repeated writes, which are suspended: for five minutes nothing is written, then one write is let through.
 * If it does not hold, the suspension continues. An edit of the spec ends it at once.
 *
 * In memory only: another process counts from zero. Holds nothing about objects that are written once or rarely.
 */
export class WriteBreaker {
  /** Ordered by the last write, the latest last. */
  readonly #series = new Map<string, Series>();

  constructor(readonly clock: Clock) {}

  /** What is remembered of an object. For most objects nothing is. */
  of(id: string): Series | undefined {
    return this.#series.get(id);
  }

  /** @param isCounted whether a write was counted, so that the object is the one that was written last */
  keep(id: string, series: Series | undefined, isCounted = false): void {
    if (isCounted || !series) this.#series.delete(id);
    if (series) this.#series.set(id, series);
    if (isCounted) this.#forgetOld(this.clock.monotonic());
  }

  /** For an object that is gone. */
  forget(id: string): void {
    this.#series.delete(id);
  }

  /** The number of objects that are held in memory. */
  get size(): number {
    return this.#series.size;
  }

  #forgetOld(now: number): void {
    for (const [id, { latest }] of this.#series) {
      if (now - latest < window) return;
      this.#series.delete(id);
    }
  }
}

/** Whether a write must wait. */
export function holding(series: Series | undefined, { fields, generation }: Omit<Intent, 'id'>, now: number): Judged {
  const cut = series?.cut;
  if (!series || !cut) return { series };
  if (cut.generation !== generation) return {};
  if (now < cut.until && cut.state === 'open') return { series, blocker: toldOf(cut, now) };
  if (now < cut.until && fields.some((field) => cut.fields.includes(field))) {
    const again: Cut = { ...cut, state: 'open', until: now + openFor };
    return { series: withCut(series, again), blocker: toldOf(again, now) };
  }
  if (cut.state === 'open') return { series: withCut(series, { ...cut, state: 'tried', until: now + probation }) };
  return now >= cut.until ? {} : { series };
}

/**
 * Counts a write.
 * @returns by field, how often it was written within the window and for the same spec, including this time
 */
export function counted(
  before: Series | undefined,
  { generation, wish, fields }: Omit<Intent, 'id'>,
  now: number,
): { readonly series: Series; readonly counts: ReadonlyMap<string, number> } {
  const series = before ?? begun(now);
  const times = new Map(series.generation === generation ? series.times : []);
  const counts = new Map<string, number>();
  for (const field of fields) {
    const recent = (times.get(field) ?? []).filter((time) => now - time < window);
    const all = [...recent, now].slice(-rememberedTimes);
    times.set(field, all);
    counts.set(field, all.length);
  }
  const latest = Math.max(now, series.cut?.until ?? now);
  return { series: { ...series, times, generation, wish, underway: fields, latest }, counts };
}

/** The last counted write was not carried out, as far as is known, so no other writer can have reverted it. */
export function uncounted(series: Series | undefined): Series | undefined {
  if (!series || series.underway.length === 0) return series;
  const times = new Map(series.times);
  for (const field of series.underway) times.set(field, times.get(field)?.slice(0, -1) ?? []);
  return { ...series, times, underway: [], wish: '' };
}

/**
 * Whose change of a field is reverted.
 * @returns with `isSame` false if it was another manager before: a new series starts
 */
export function blamed(
  series: Series | undefined,
  { field, writer }: { readonly field: string; readonly writer: string },
  now: number,
): { readonly series: Series | undefined; readonly isSame: boolean } {
  if (!series) return { series, isSame: true };
  const isSame = (series.writers.get(field) ?? writer) === writer;
  const writers = new Map(series.writers).set(field, writer);
  const times = isSame ? series.times : new Map(series.times).set(field, [now]);
  return { series: { ...series, writers, times }, isSame };
}

/** Suspends writes of these fields from now on. */
export function suspended(
  series: Series | undefined,
  { generation, fields }: Pick<Intent, 'generation' | 'fields'>,
  { reason, message, now }: { readonly reason: BlockerReason; readonly message: string; readonly now: number },
): Required<Judged> {
  const cut: Cut = { reason, message, fields, generation, state: 'open', until: now + openFor };
  return { series: withCut({ ...(series ?? begun(now)), times: new Map() }, cut), blocker: toldOf(cut, now) };
}

/**
 * The object is as desired. If that happened without our write, the suspension ends. A trial write must hold for a
 * while.
 * @returns the blocker that is still to be reported
 */
export function rested(series: Series, generation: number, now: number): Judged {
  const { cut, underway } = series;
  const still = underway.length > 0 ? { ...series, underway: [] } : series;
  if (!cut) return { series: still };
  const isProbation = cut.state === 'tried' && now < cut.until && cut.generation === generation;
  return isProbation ? { series: still, blocker: toldOf(cut, now) } : {};
}

function begun(now: number): Series {
  return { times: new Map(), writers: new Map(), wish: '', latest: now, underway: [], generation: 0 };
}

function withCut(series: Series, cut: Cut): Series {
  return { ...series, cut, latest: cut.until };
}

function toldOf({ reason, message, until }: Cut, now: number): Blocker {
  return { reason, message, requeueAfter: until - now };
}
