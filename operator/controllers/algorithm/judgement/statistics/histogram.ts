/** The number of observations in each bucket. */
export interface Histogram {
  /** Upper bounds of the buckets, ascending and inclusive. The last bucket has no upper bound. */
  readonly bounds: readonly number[];
  /** Observations per bucket. There is one more bucket than there are bounds. */
  readonly counts: readonly number[];
}

/** Cumulative observations by inclusive upper bound, as proxies and Pods report them: `{ '0.1': 3, '+Inf': 4 }`. */
export type Buckets = Readonly<Record<string, number>>;

/** @returns undefined without the bucket `+Inf`, because the number of observations is then unknown */
export function histogramOf(buckets: Buckets): Histogram | undefined {
  const rising = Object.entries(buckets)
    .map(([le, count]) => ({ bound: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), count }))
    .sort((a, b) => a.bound - b.bound);
  if (rising.at(-1)?.bound !== Number.POSITIVE_INFINITY) return undefined;
  let below = 0;
  const counts = rising.map(({ count }) => {
    const more = Math.max(0, count - below);
    below += more;
    return more;
  });
  return { bounds: rising.slice(0, -1).map(({ bound }) => bound), counts };
}

/** The number of observations of a histogram. */
export function totalOf({ counts }: Histogram): number {
  return sum(counts);
}

/** The sum of some counts. */
export function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** The bounds that two histograms have in common. They can be compared at these bounds without interpolation. */
export function commonBounds(one: Histogram, other: Histogram): readonly number[] {
  const others = new Set(other.bounds);
  return one.bounds.filter((bound) => others.has(bound));
}

/** The same observations in fewer buckets. @param bounds a subset of its bounds */
export function coarser(histogram: Histogram, bounds: readonly number[]): Histogram {
  if (bounds.length === histogram.bounds.length) return histogram;
  const counts = new Array<number>(bounds.length + 1).fill(0);
  let bucket = 0;
  histogram.counts.forEach((count, index) => {
    counts[bucket] = (counts[bucket] ?? 0) + count;
    if (histogram.bounds[index] === bounds[bucket]) bucket += 1;
  });
  return { bounds, counts };
}

/** The observations of both histograms, in the buckets that they have in common. */
export function merged(one: Histogram, other: Histogram): Histogram {
  const bounds = commonBounds(one, other);
  const more = coarser(other, bounds).counts;
  return { bounds, counts: coarser(one, bounds).counts.map((count, index) => count + (more[index] ?? 0)) };
}
