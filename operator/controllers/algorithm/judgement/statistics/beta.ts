import { createRequire } from 'node:module';

/** The part of the Cephes library that the analysis needs: the inverses of two distributions. */
interface Cephes {
  incbi(a: number, b: number, probability: number): number;
  ndtri(probability: number): number;
}

const require = createRequire(import.meta.url);

/** Loaded synchronously on first use, so that an operator without trials never loads the library. */
const cephes = (): Cephes => require('cephes');

/**
 * The quantile of a beta distribution: where its cumulative probability is `probability`.
 *
 * @param a more than 0
 * @param b more than 0
 * @param probability from 0 to 1
 */
export function betaQuantile(a: number, b: number, probability: number): number {
  return cephes().incbi(a, b, probability);
}

/** The number of standard deviations above the mean that a normal distribution exceeds with probability `risk`. */
export function normalDeviate(risk: number): number {
  return -cephes().ndtri(risk);
}
