import type { Counters, Reading } from './reading.js';
import { joined, type Requests, type Sample } from './sample.js';
import type { Histogram } from './statistics/histogram.js';

/** Counts between two times, which are in milliseconds since 1970. */
export interface Increase {
  readonly from: number;
  readonly until: number;
  readonly sample: Sample;
}

/**
 * Counts between the first and the last of some readings. The increase is computed per source and then added up,
 * because the sum of the counters falls when a Pod is deleted.
 *
 * - A counter that fell means that its source restarted. All counts of that source are new.
 * - A new source has counted everything since the previous reading, unless it was silent then.
 * - Counts of a source after its last reading are lost.
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

/** Counts of one source between two readings. */
function grown(before: Counters, now: Counters): Sample {
  return {
    requests: now.codes && requestsOf(now.codes, before.codes ?? {}),
    latency: now.latency && difference(now.latency, before.latency),
    drift: now.drift && difference(now.drift, before.drift),
  };
}

/** The reported counters of a source. For the others, the last reported values still apply. */
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
 * Requests that failed from the client's point of view: 5xx, the timeouts 408 and 499 (the client closed the
 * connection), and 0, which proxies use if there was no response at all.
 */
const failure = /^(5\d\d|408|499|0)$/;

function requestsOf(now: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>): Requests {
  const more = Object.entries(now).map(([code, count]) => ({ code, count: count - (before[code] ?? 0) }));
  const sum = (some: typeof more) => some.reduce((total, { count }) => total + count, 0);
  return { total: sum(more), failed: sum(more.filter(({ code }) => failure.test(code))) };
}
