import type { Distance, Pair } from './distance.js';
import { sum } from './histogram.js';
import type { Risks } from './risk.js';

/**
 * The Kolmogorov-Smirnov distance between two samples, with its bounds. It is the largest difference of their
 * cumulative shares at bucket boundaries: a histogram does not show the distribution within a bucket.
 *
 * The bounds are Hoeffding's, which hold for every sample size. The lower bound must hold at whichever boundary shows
 * the largest difference, so its risk is divided by all boundaries and both directions. The upper bound applies only to
 * the boundary with the largest true difference, so its risk is not divided.
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
