import { type Histogram, totalOf } from './histogram.js';

/** A percentile as a histogram shows it. */
export interface Percentile {
  /** As if the observations of its bucket were spread evenly; at its beginning when the bucket has no end. */
  readonly estimate: number;
  /** Where its bucket begins. All that is certain is that it is after this. */
  readonly from: number;
  /** Where its bucket ends, which may be never; it is not after this. */
  readonly to: number;
}

/**
 * @param percent from 0 to 100
 * @returns nothing for an empty histogram
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

/** The observations of a histogram around a limit. */
export interface Around {
  /** For certain not above the limit. */
  readonly within: number;
  /** In the bucket that the limit is in: above it or not. */
  readonly unsure: number;
  /** For certain above it. */
  readonly above: number;
}

/** How many observations are on which side of a limit. */
export function around({ bounds, counts }: Histogram, limit: number): Around {
  const sides = { within: 0, unsure: 0, above: 0 };
  counts.forEach((count, index) => {
    const from = bounds[index - 1] ?? Number.NEGATIVE_INFINITY;
    const to = bounds[index] ?? Number.POSITIVE_INFINITY;
    sides[to <= limit ? 'within' : from >= limit ? 'above' : 'unsure'] += count;
  });
  return sides;
}
