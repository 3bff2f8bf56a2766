import { betaQuantile } from './beta.js';

/** A number of hits in a total. */
export interface Share {
  /** From 0 to `total`. */
  readonly hits: number;
  readonly total: number;
}

/**
 * Lower bound of the true share: the true share is lower than this with probability `risk` at most.
 *
 * Uses the exact bound (Clopper and Pearson, 1934), not Wilson's. Verdicts need the far tails and few failures, and
 * there the error rate of Wilson's bound is several times the nominal one.
 */
export function shareAtLeast({ hits, total }: Share, risk: number): number {
  return hits <= 0 ? 0 : betaQuantile(hits, total - hits + 1, risk);
}

/** Upper bound of the true share: the true share is higher than this with probability `risk` at most. */
export function shareAtMost({ hits, total }: Share, risk: number): number {
  return hits >= total ? 1 : betaQuantile(hits + 1, total - hits, 1 - risk);
}
