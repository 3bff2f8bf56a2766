import type { Finding } from './finding.js';
import type { Histogram } from './statistics/histogram.js';
import { type Around, around, type Percentile, percentileOf } from './statistics/percentile.js';
import type { Risks } from './statistics/risk.js';
import { shareAtLeast, shareAtMost } from './statistics/share.js';
import { counted, milliseconds, percent, percentBound, sure } from './wording.js';

/** The latency that a version must have. */
export interface LatencyStandard {
  /** Between 0 and 100, for example 95. */
  readonly percentile: number;
  /** The percentile may not be above this. */
  readonly targetSeconds: number;
}

/** The sentence for missing latency metrics. */
export const noLatency = 'No proxy reports how long requests took';

/**
 * Analyzes a percentile by the number of requests that took longer than the target. The 95th percentile is above the
 * target exactly when more than 5% of the requests took longer, so the bounds are those of a share. Requests in the
 * bucket of the target count as fast for the question whether the version is bad, and as slow for the question whether
 * it is good.
 *
 * @returns a finding with bucket boundaries as its bounds, because a histogram shows a percentile no more precisely
 */
export function latencyOf(histogram: Histogram | undefined, standard: LatencyStandard, risks: Risks): Finding {
  if (!histogram) return { verdict: 'missing', sentence: noLatency, count: 0 };
  const found = percentileOf(histogram, standard.percentile);
  if (!found) return { verdict: 'undecided', sentence: 'No request was measured yet', count: 0 };
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
    const sentence = `${slow} (at least ${percentBound('atLeast', atLeast, allowed)} ${sure}), more than the allowed ${percent(allowed)}`;
    return { verdict: 'bad', sentence };
  }
  const atMost = shareAtMost({ hits: above + unsure, total }, risks.good);
  if (atMost <= allowed) {
    const slow = `${percent((above + unsure) / total)} of ${counted(total)} requests took longer than ${target}`;
    const sentence = `${slow} (at most ${percentBound('atMost', atMost, allowed)} ${sure}), within the allowed ${percent(allowed)}`;
    return { verdict: 'good', sentence };
  }
  return { verdict: 'undecided', sentence: undecided(found, standard, total) };
}

function undecided({ from, to }: Percentile, { percentile, targetSeconds }: LatencyStandard, total: number): string {
  const target = milliseconds(targetSeconds);
  const range = Number.isFinite(to)
    ? `between ${milliseconds(from)} and ${milliseconds(to)}`
    : `above ${milliseconds(from)}`;
  const seen = `Percentile ${percentile} of ${counted(total)} requests is ${range}`;
  const isHidden = from < targetSeconds && targetSeconds < to;
  if (isHidden)
    return `${seen}, in the same bucket as the target of ${target}; add a bucket boundary at ${target} to the histogram`;
  return `${seen}; more requests are needed to compare it with the target of ${target}`;
}
