import { canonicalQuantity, wholeQuantity } from '../../src/index.js';
import type { MemoryGrowth } from './policy.js';

/** How much more memory the next attempt of a role has than its spec states. */
export interface GrownMemory {
  /** Multiplies the memory of the spec. */
  readonly factor: number;
  /** A quantity that it does not exceed. */
  readonly max?: string | undefined;
}

/** No node has so many times the memory that a spec states. */
const largestFactor = 1_000_000;

/** Growth after one more failure. */
export function grownBy(before: GrownMemory | undefined, { memoryFactor, max }: MemoryGrowth): GrownMemory {
  const factor = Math.min(largestFactor, (before?.factor ?? 1) * memoryFactor);
  return { factor, ...(max !== undefined && { max }) };
}

const mebi = 1024n * 1024n;
/** Factors have so many decimal places. */
const precision = 1_000_000;

/**
 * A quantity of memory after growth, in whole mebibytes. A maximum below the quantity of the spec leaves it as it is.
 * @throws {Error} if a text is not a quantity
 */
export function memoryWith(quantity: string, growth: GrownMemory | undefined): string {
  if (!growth) return quantity;
  const stated = wholeQuantity(quantity);
  // A factor that has grown for long exceeds what a number can count exactly: the largest quantity is enough then.
  const factor = BigInt(Math.ceil(Math.min(growth.factor, Number.MAX_SAFE_INTEGER / precision) * precision));
  const wanted = roundedUp((stated * factor) / BigInt(precision));
  const most = growth.max === undefined ? wanted : wholeQuantity(growth.max);
  const grown = wanted < most ? wanted : most;
  return grown <= stated ? quantity : canonicalQuantity(`${grown / mebi}Mi`);
}

function roundedUp(bytes: bigint): bigint {
  return ((bytes + mebi - 1n) / mebi) * mebi;
}
