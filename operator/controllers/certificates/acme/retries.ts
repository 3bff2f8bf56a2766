/** The failed orders of a certificate, since its spec changed or it was issued. */
export interface FailedOrders {
  readonly count: number;
  /** When the last one failed, in milliseconds since 1970. */
  readonly last: number;
}

const minute = 60_000;
/** Milliseconds after the first failure. The orders of the first hour stay below the five failed validations of Let's Encrypt. */
const first = 15 * minute;
const longest = 32 * 60 * minute;

/** When the next order may be created, in milliseconds since 1970: 15 minutes after a failure, then twice as long each time. */
export function retryTime({ count, last }: FailedOrders): number {
  return count === 0 ? last : last + Math.min(longest, first * 2 ** (count - 1));
}
