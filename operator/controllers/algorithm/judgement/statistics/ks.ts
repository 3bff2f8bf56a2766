import type { Distance, Pair } from './distance.js';
import { sum } from './histogram.js';
import type { Risks } from './risk.js';

/**
 * The distance of Kolmogorov and Smirnov between two samples, the largest difference of their cumulative shares, with
 * its bounds. It is the distance at the ends of buckets: within a bucket nobody knows.
 *
 * The bounds are Hoeffding's, which hold at every size. The lower one must hold wherever the largest difference shows up,
 * so it pays for each end of a bucket and both directions; the upper one for a single place alone, where the largest
 * difference truly is.
 *
 * @see Hoeffding, Probability inequalities for sums of bounded random variables, 1963
 */
export function ks({ one, other }: Pair, risks: Risks): Distance {
  const [shares, others] = [cumulative(one), cumulative(other)];
  const value = Math.max(...shares.map((share, index) => Math.abs(share - (others[index] ?? 0))));
  const perBucket = 1 / sum(one) + 1 / sum(other);
  const within = (risk: number) => Math.sqrt((perBucket * Math.log(1 / risk)) / 2);
  const places = 2 * Math.max(1, one.length - 1);
  return {
    value,
    atLeast: Math.max(0, value - within(risks.bad / places)),
    atMost: Math.min(1, value + within(risks.good)),
  };
}

function cumulative(counts: readonly number[]): readonly number[] {
  const total = sum(counts);
  let below = 0;
  return counts.map((count) => {
    below += count;
    return below / total;
  });
}
