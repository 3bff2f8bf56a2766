import { normalDeviate } from './beta.js';
import type { Distance, Pair } from './distance.js';
import { sum } from './histogram.js';
import type { Risks } from './risk.js';

/** Minimum number of observations in a bucket, both samples together. */
const leastInBucket = 10;

/** Added to each count, because a bucket with observations of only one sample would make the index infinite. */
const halfCount = 0.5;

/**
 * The population stability index of two samples, Σ (p−q)·ln(p/q), with its bounds.
 *
 * Two samples of the same population differ too, by about (B−1)·(1/n+1/m) for B buckets. The lower bound subtracts
 * this bias and merges rare buckets, because their counts are mostly chance. The upper bound does neither: the whole
 * distance may be real, and the drift may be in the rarest bucket. Both bounds are symmetric on the square-root scale,
 * on which the spread hardly depends on the index. Both are approximate.
 *
 * @see Yurdakul, Statistical properties of population stability index, 2018
 */
export function psi(pair: Pair, risks: Risks): Distance {
  const all = momentsOf(filled(pair));
  const { value, bias, variance } = momentsOf(merged(pair));
  const certain = Math.max(0, value - bias);
  const possible = Math.max(all.value, all.floor);
  const least = certain === 0 ? 0 : Math.sqrt(certain) - normalDeviate(risks.bad) * Math.sqrt(variance / (4 * certain));
  const most = Math.sqrt(possible) + normalDeviate(risks.good) * Math.sqrt(all.variance / (4 * possible));
  return {
    value: all.value,
    atLeast: Math.min(all.value, Math.max(0, least) ** 2),
    atMost: possible === 0 ? Number.POSITIVE_INFINITY : most ** 2,
  };
}

/** The pair without empty buckets. */
function filled({ one, other }: Pair): Pair {
  const isFilled = (_: number, index: number) => (one[index] ?? 0) + (other[index] ?? 0) > 0;
  return { one: one.filter(isFilled), other: other.filter(isFilled) };
}

/** The pair with each rare bucket merged into the next. */
function merged({ one, other }: Pair): Pair {
  const ones: number[] = [];
  const others: number[] = [];
  let pending: readonly [number, number] = [0, 0];
  one.forEach((count, index) => {
    pending = [pending[0] + count, pending[1] + (other[index] ?? 0)];
    if (pending[0] + pending[1] < leastInBucket) return;
    ones.push(pending[0]);
    others.push(pending[1]);
    pending = [0, 0];
  });
  // The last rare bucket has no next bucket, so it is merged into the previous one.
  ones.push((ones.pop() ?? 0) + pending[0]);
  others.push((others.pop() ?? 0) + pending[1]);
  return { one: ones, other: others };
}

/** The index with its bias and variance, by the second-order delta method. */
function momentsOf({ one, other }: Pair) {
  const buckets = one.length;
  const n = sum(one);
  const m = sum(other);
  const p = one.map((count) => (count + halfCount) / (n + halfCount * buckets));
  const q = other.map((count) => (count + halfCount) / (m + halfCount * buckets));
  const over = (f: (p: number, q: number) => number) => sum(p.map((share, index) => f(share, q[index] ?? 0)));
  const slopeOfP = (a: number, b: number) => Math.log(a / b) - b / a;
  const slopeOfQ = (a: number, b: number) => -Math.log(a / b) - a / b;
  const spreadOfP = over((a, b) => a * slopeOfP(a, b) ** 2) - over((a, b) => a * slopeOfP(a, b)) ** 2;
  const spreadOfQ = over((a, b) => b * slopeOfQ(a, b) ** 2) - over((a, b) => b * slopeOfQ(a, b)) ** 2;
  const perBucket = 1 / n + 1 / m;
  return {
    value: over((a, b) => (a - b) * Math.log(a / b)),
    bias: over((a, b) => (0.5 * (1 - a) * (1 + b / a)) / n + (0.5 * (1 - b) * (1 + a / b)) / m),
    variance: spreadOfP / n + spreadOfQ / m + 2 * (buckets - 1) * perBucket ** 2,
    /** The average index of two samples of the same population. */
    floor: (buckets - 1) * perBucket,
  };
}
