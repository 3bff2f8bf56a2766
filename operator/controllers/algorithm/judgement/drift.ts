import type { Finding } from './finding.js';
import type { Pair } from './statistics/distance.js';
import { coarser, commonBounds, type Histogram, totalOf } from './statistics/histogram.js';
import { ks } from './statistics/ks.js';
import { psi } from './statistics/psi.js';
import type { Risks } from './statistics/risk.js';
import { amount, amountBound, counted, sure } from './wording.js';

/** How far the drift metric of a version may be from that of the stable version. */
export interface DriftStandard {
  readonly method: 'PSI' | 'KS';
  /** A larger distance is bad. */
  readonly threshold: number;
}

const methods = {
  PSI: { distance: psi, name: 'population stability index' },
  KS: { distance: ks, name: 'Kolmogorov-Smirnov distance' },
} as const;

/** The histograms of both sides. */
export interface Sides {
  readonly trial: Histogram | undefined;
  readonly stable: Histogram | undefined;
}

/** A sentence that names the missing data for an analysis of drift; undefined if nothing is missing. */
export function driftGap({ trial, stable }: Sides): string | undefined {
  if (!trial) return 'The version on trial reports no drift metric';
  if (!stable) return 'The stable version reports no drift metric';
  if (commonBounds(trial, stable).length > 0) return undefined;
  return 'The histograms of both versions have no bucket boundary in common, so their drift cannot be compared';
}

/** Analyzes how far the version on trial is from the stable version, at the bucket boundaries that both have. */
export function driftOf(sides: Sides, { method, threshold }: DriftStandard, risks: Risks): Finding {
  const { trial = none, stable = none } = sides;
  const count = totalOf(trial);
  const gap = driftGap(sides);
  if (gap) return { verdict: 'missing', sentence: gap, count };
  if (count === 0 || totalOf(stable) === 0) {
    return { verdict: 'undecided', sentence: 'The drift metric of one version has no observations yet', count };
  }
  const bounds = commonBounds(trial, stable);
  const pair: Pair = { one: coarser(trial, bounds).counts, other: coarser(stable, bounds).counts };
  const { distance, name } = methods[method];
  const { value, atLeast, atMost } = distance(pair, risks);
  const numbers = { value, atLeast, atMost, count };
  const seen = `The ${name} of ${counted(count)} observations is ${amount(value)}`;
  if (atLeast > threshold) {
    const sentence = `${seen} (at least ${amountBound('atLeast', atLeast, threshold)} ${sure}), above the threshold of ${amount(threshold)}`;
    return { verdict: 'bad', sentence, ...numbers };
  }
  if (atMost <= threshold) {
    const sentence = `${seen} (at most ${amountBound('atMost', atMost, threshold)} ${sure}), within the threshold of ${amount(threshold)}`;
    return { verdict: 'good', sentence, ...numbers };
  }
  return {
    verdict: 'undecided',
    sentence: `${seen}; more observations are needed to compare it with the threshold of ${amount(threshold)}`,
    ...numbers,
  };
}

const none: Histogram = { bounds: [], counts: [] };
