/** How the delay grows from one failure to the next. */
export interface Backoff {
  /** Milliseconds before the first retry. */
  readonly first: number;
  /** Milliseconds of the longest delay. */
  readonly most: number;
}

/** For a key whose reconciles fail. The bounds are client-go's. */
export const reconcileBackoff: Backoff = { first: 5, most: 1_000_000 };

/** For a key whose objects the API server rejects: the same request meets the same rejection until a person acts. */
export const refusalBackoff: Backoff = { first: 1_000, most: 300_000 };

/** For a watch that cannot be opened. The bounds are client-go's. */
export const watchBackoff: Backoff = { first: 800, most: 30_000 };

/** For a kind that is not served: a user who installs the CRD waits for the operator to notice. */
export const missingBackoff: Backoff = { first: 500, most: 3_000 };

/**
 * For a kind that is optional or has not been served for a while. Few users wait for it, and many clusters never serve
 * it.
 */
export const absentBackoff: Backoff = { first: 500, most: 60_000 };

/**
 * Milliseconds to wait after a number of consecutive failures: doubled each time, bounded, and uniform between zero and
 * that value (full jitter). So keys that failed together do not retry together.
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 * @param failures 1 or more
 * @param random uniform in [0, 1)
 */
export function waitAfter(failures: number, { first, most }: Backoff, random: number): number {
  return Math.min(most, first * 2 ** (failures - 1)) * random;
}
