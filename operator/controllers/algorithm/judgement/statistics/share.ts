import { betaQuantile } from './beta.js';

/** How many of how many. */
export interface Share {
  /** From 0 to `total`. */
  readonly hits: number;
  readonly total: number;
}

/**
 * The least true share that so many hits leave possible: it is lower, except with probability `risk` at the most.
 *
 * Exact (Clopper and Pearson, 1934), not Wilson's: a verdict looks far out into the tails and at a handful of failures,
 * where Wilson's bound is crossed several times as often as it says.
 */
export function shareAtLeast({ hits, total }: Share, risk: number): number {
  return hits <= 0 ? 0 : betaQuantile(hits, total - hits + 1, risk);
}

/** The largest true share that so many hits leave possible: it is higher, except with probability `risk` at the most. */
export function shareAtMost({ hits, total }: Share, risk: number): number {
  return hits >= total ? 1 : betaQuantile(hits + 1, total - hits, 1 - risk);
}
