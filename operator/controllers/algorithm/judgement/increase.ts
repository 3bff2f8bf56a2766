import type { Counters, Reading } from './reading.js';
import { joined, type Requests, type Sample } from './sample.js';
import type { Histogram } from './statistics/histogram.js';

/** What was counted from one time until another, in milliseconds since 1970. */
export interface Increase {
  readonly from: number;
  readonly until: number;
  readonly sample: Sample;
}

/**
 * What was counted between the first and the last of some readings, source by source and only then as a sum: the sum of
 * counters falls when a pod goes, and that is no news.
 *
 * - A counter that fell was started again, and with it all of its source: what it tells has all been counted since.
 * - A source that is new has counted everything since the reading before, unless it was silent then.
 * - What a source counted after it was last read is lost with it.
 *
 * @param readings in any order
 * @returns nothing for fewer than two readings of different times
 */
export function increaseOf(readings: readonly Reading[]): Increase | undefined {
  const [first, ...later] = readings.toSorted((a, b) => a.at - b.at);
  const until = later.at(-1)?.at;
  if (!first || until === undefined || until <= first.at) return undefined;
  const known = new Map(Object.entries(first.sources));
  let sample: Sample = {};
  for (const { sources } of later) {
    for (const [name, now] of Object.entries(sources)) {
      const before = known.get(name);
      if (now === 'silent') {
        known.set(name, before ?? 'silent');
        continue;
      }
      const since = before === 'silent' || before === undefined || startedAgain(before, now) ? {} : before;
      if (before !== 'silent') sample = joined(sample, grown(since, now));
      known.set(name, { ...since, ...told(now) });
    }
  }
  return { from: first.at, until, sample };
}

/** What one source counted from one reading to the next. */
function grown(before: Counters, now: Counters): Sample {
  return {
    requests: now.codes && requestsOf(now.codes, before.codes ?? {}),
    latency: now.latency && difference(now.latency, before.latency),
    drift: now.drift && difference(now.drift, before.drift),
  };
}

/** What a source told, without what it left out: that is still as it was when it was told last. */
function told(now: Counters): Counters {
  return Object.fromEntries(Object.entries(now).filter(([, value]) => value !== undefined));
}

function startedAgain(before: Counters, now: Counters): boolean {
  const { codes } = now;
  const fell = codes && Object.entries(before.codes ?? {}).some(([code, count]) => (codes[code] ?? 0) < count);
  return fell || isBehind(now.latency, before.latency) || isBehind(now.drift, before.drift);
}

function isBehind(now: Histogram | undefined, before: Histogram | undefined): boolean {
  if (!now || !before) return false;
  const isLike =
    now.bounds.length === before.bounds.length && now.bounds.every((bound, i) => bound === before.bounds[i]);
  return !isLike || now.counts.some((count, i) => count < (before.counts[i] ?? 0));
}

function difference(now: Histogram, before: Histogram | undefined): Histogram {
  return { bounds: now.bounds, counts: now.counts.map((count, index) => count - (before?.counts[index] ?? 0)) };
}

/**
 * Failed is what the one who asked would call so: 5xx, the timeouts 408 and 499 (nobody waited for the answer any
 * longer), and 0, a proxy's word for no answer at all.
 */
const failure = /^(5\d\d|408|499|0)$/;

function requestsOf(now: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>): Requests {
  const more = Object.entries(now).map(([code, count]) => ({ code, count: count - (before[code] ?? 0) }));
  const sum = (some: typeof more) => some.reduce((total, { count }) => total + count, 0);
  return { total: sum(more), failed: sum(more.filter(({ code }) => failure.test(code))) };
}
