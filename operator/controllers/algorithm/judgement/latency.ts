import type { Finding } from './finding.js';
import type { Histogram } from './statistics/histogram.js';
import { type Around, around, type Percentile, percentileOf } from './statistics/percentile.js';
import type { Risks } from './statistics/risk.js';
import { shareAtLeast, shareAtMost } from './statistics/share.js';
import { counted, milliseconds, percent, percentBound, sure } from './wording.js';

/** What a version's latency must be. */
export interface LatencyStandard {
  /** Between 0 and 100, as 95. */
  readonly percentile: number;
  /** The percentile may not be above this. */
  readonly targetSeconds: number;
}

/** What is said when latency is missing. */
export const noLatency = 'nobody tells how long requests took';

/**
 * Judges a percentile by how many requests took longer than the target: the 95th percentile is above it exactly when
 * more than 5 % did, so the bounds are those of a share. Requests in the bucket that the target is in count as fast when
 * it is asked whether the version is bad, and as slow when it is asked whether it is good.
 *
 * @returns a finding whose bounds are the ends of buckets, as those of the percentile can only be
 */
export function latencyOf(histogram: Histogram | undefined, standard: LatencyStandard, risks: Risks): Finding {
  if (!histogram) return { verdict: 'missing', sentence: noLatency, count: 0 };
  const found = percentileOf(histogram, standard.percentile);
  if (!found) return { verdict: 'undecided', sentence: 'there was no request yet whose time is known', count: 0 };
  const sides = around(histogram, standard.targetSeconds);
  const count = sides.within + sides.unsure + sides.above;
  return {
    ...judged(sides, found, standard, risks),
    value: found.estimate,
    atLeast: found.from,
    atMost: found.to,
    count,
  };
}

function judged(
  { within, unsure, above }: Around,
  found: Percentile,
  standard: LatencyStandard,
  risks: Risks,
): Pick<Finding, 'verdict' | 'sentence'> {
  const total = within + unsure + above;
  const allowed = 1 - standard.percentile / 100;
  const target = milliseconds(standard.targetSeconds);
  const atLeast = shareAtLeast({ hits: above, total }, risks.bad);
  if (atLeast > allowed) {
    const slow = `${percent(above / total)} of ${counted(total)} requests took longer than ${target}`;
    const sentence = `${slow}, at least ${percentBound('atLeast', atLeast, allowed)} ${sure}: more than ${percent(allowed)}`;
    return { verdict: 'bad', sentence };
  }
  const atMost = shareAtMost({ hits: above + unsure, total }, risks.good);
  if (atMost <= allowed) {
    const slow = `${percent((above + unsure) / total)} of ${counted(total)} requests took longer than ${target}`;
    const sentence = `${slow}, at most ${percentBound('atMost', atMost, allowed)} ${sure}: not more than ${percent(allowed)}`;
    return { verdict: 'good', sentence };
  }
  return { verdict: 'undecided', sentence: undecided(found, standard, total) };
}

function undecided({ from, to }: Percentile, { percentile, targetSeconds }: LatencyStandard, total: number): string {
  const target = milliseconds(targetSeconds);
  const range = Number.isFinite(to)
    ? `between ${milliseconds(from)} and ${milliseconds(to)}`
    : `above ${milliseconds(from)}`;
  const seen = `percentile ${percentile} of ${counted(total)} requests is ${range}`;
  const isHidden = from < targetSeconds && targetSeconds < to;
  if (isHidden) return `${seen}, and so is the target of ${target}: give the histogram a bucket that ends at ${target}`;
  return `${seen}: with so few it may be above ${target} or not`;
}
