import { type Histogram, totalOf } from './histogram.js';

/** A percentile of a histogram. */
export interface Percentile {
  /** Interpolated within its bucket; the lower bound of the bucket if it has no upper bound. */
  readonly estimate: number;
  /** Lower bound of its bucket. The percentile is above it. */
  readonly from: number;
  /** Upper bound of its bucket, which may be infinite. The percentile is not above it. */
  readonly to: number;
}

/**
 * @param percent from 0 to 100
 * @returns undefined for an empty histogram
 */
export function percentileOf(histogram: Histogram, percent: number): Percentile | undefined {
  const total = totalOf(histogram);
  if (total === 0) return undefined;
  const rank = (percent / 100) * total;
  const { bounds, counts } = histogram;
  let below = 0;
  let index = 0;
  while (index < bounds.length && (below + (counts[index] ?? 0) < rank || counts[index] === 0)) {
    below += counts[index] ?? 0;
    index += 1;
  }
  const from = bounds[index - 1] ?? Math.min(0, bounds[0] ?? 0);
  const to = bounds[index] ?? Number.POSITIVE_INFINITY;
  const estimate = Number.isFinite(to) ? from + ((to - from) * (rank - below)) / (counts[index] ?? 1) : from;
  return { estimate, from, to };
}

/** The observations of a histogram on both sides of a limit. */
export interface Around {
  /** Not above the limit. */
  readonly within: number;
  /** In the bucket of the limit, so on either side of it. */
  readonly unsure: number;
  /** Above the limit. */
  readonly above: number;
}

/** Counts the observations on each side of a limit. */
export function around({ bounds, counts }: Histogram, limit: number): Around {
  const sides = { within: 0, unsure: 0, above: 0 };
  counts.forEach((count, index) => {
    const from = bounds[index - 1] ?? Number.NEGATIVE_INFINITY;
    const to = bounds[index] ?? Number.POSITIVE_INFINITY;
    sides[to <= limit ? 'within' : from >= limit ? 'above' : 'unsure'] += count;
  });
  return sides;
}
