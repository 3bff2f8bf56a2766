import type { Finding } from './finding.js';
import type { Pair } from './statistics/distance.js';
import { coarser, commonBounds, type Histogram, totalOf } from './statistics/histogram.js';
import { ks } from './statistics/ks.js';
import { psi } from './statistics/psi.js';
import type { Risks } from './statistics/risk.js';
import { amount, amountBound, counted, sure } from './wording.js';

/** How far a version's answers may be from those of the stable one. */
export interface DriftStandard {
  readonly method: 'PSI' | 'KS';
  /** More is bad. */
  readonly threshold: number;
}

const methods = {
  PSI: { distance: psi, name: 'population stability index' },
  KS: { distance: ks, name: 'Kolmogorov-Smirnov distance' },
} as const;

/** The histograms of the two sides. */
export interface Sides {
  readonly trial: Histogram | undefined;
  readonly stable: Histogram | undefined;
}

/** What is missing to judge drift, as a sentence. */
export function driftGap({ trial, stable }: Sides): string | undefined {
  if (!trial) return 'the version on trial tells no drift metric';
  if (!stable) return 'the stable version tells no drift metric';
  if (commonBounds(trial, stable).length > 0) return undefined;
  return 'the buckets of the two versions have no end in common, so their drift cannot be compared';
}

/** Judges how far the version on trial is from the stable one, in the buckets that both have. */
export function driftOf(sides: Sides, { method, threshold }: DriftStandard, risks: Risks): Finding {
  const { trial = none, stable = none } = sides;
  const count = totalOf(trial);
  const gap = driftGap(sides);
  if (gap) return { verdict: 'missing', sentence: gap, count };
  if (count === 0 || totalOf(stable) === 0) {
    return { verdict: 'undecided', sentence: 'one of the versions has not told its drift metric a value yet', count };
  }
  const bounds = commonBounds(trial, stable);
  const pair: Pair = { one: coarser(trial, bounds).counts, other: coarser(stable, bounds).counts };
  const { distance, name } = methods[method];
  const { value, atLeast, atMost } = distance(pair, risks);
  const numbers = { value, atLeast, atMost, count };
  const seen = `the ${name} of ${counted(count)} answers is ${amount(value)}`;
  if (atLeast > threshold) {
    const sentence = `${seen}, at least ${amountBound('atLeast', atLeast, threshold)} ${sure}: more than ${amount(threshold)}`;
    return { verdict: 'bad', sentence, ...numbers };
  }
  if (atMost <= threshold) {
    const sentence = `${seen}, at most ${amountBound('atMost', atMost, threshold)} ${sure}: not more than ${amount(threshold)}`;
    return { verdict: 'good', sentence, ...numbers };
  }
  return {
    verdict: 'undecided',
    sentence: `${seen}: with so few it may be above ${amount(threshold)} or not`,
    ...numbers,
  };
}

const none: Histogram = { bounds: [], counts: [] };
