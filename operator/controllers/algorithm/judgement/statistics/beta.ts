import { createRequire } from 'node:module';

/** The part of the Cephes library that judgement needs: the inverses of two distributions. */
interface Cephes {
  incbi(a: number, b: number, probability: number): number;
  ndtri(probability: number): number;
}

const require = createRequire(import.meta.url);

/** Loaded by the first judgement, at once: an operator without trials does not pay for it, and nobody has to wait. */
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

/** How many standard deviations the upper `risk` of a normal distribution is above its mean. */
export function normalDeviate(risk: number): number {
  return -cephes().ndtri(risk);
}
