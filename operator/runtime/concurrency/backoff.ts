/** How waiting grows from one failure to the next. */
export interface Backoff {
  /** Milliseconds before the first retry. */
  readonly first: number;
  /** Milliseconds, the longest wait. */
  readonly most: number;
}

/** Of a key whose passes fail. The bounds are client-go's. */
export const reconcileBackoff: Backoff = { first: 5, most: 1_000_000 };

/** Of a key whose objects the API server refuses: the same request will meet the same refusal, until somebody acts. */
export const refusalBackoff: Backoff = { first: 1_000, most: 300_000 };

/** Of a watch that cannot be opened. The bounds are client-go's. */
export const watchBackoff: Backoff = { first: 800, most: 30_000 };

/** Of a kind that is not served: somebody who installs the definition waits for us to notice. */
export const missingBackoff: Backoff = { first: 500, most: 3_000 };

/** Of one that is optional, or has not been served for a while: hardly anybody waits, and many a cluster never serves it. */
export const absentBackoff: Backoff = { first: 500, most: 60_000 };

/**
 * Milliseconds to wait after so many failures in a row: doubled each time, bounded, and uniform between nothing and
 * that (full jitter), so that what failed together does not come back together.
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 * @param failures 1 or more
 * @param random uniform in [0, 1)
 */
export function waitAfter(failures: number, { first, most }: Backoff, random: number): number {
  return Math.min(most, first * 2 ** (failures - 1)) * random;
}
