import { isAhead } from '../../../certificates/times.js';

/** The failed orders of a certificate, since its spec changed or it was issued. */
export interface FailedOrders {
  readonly count: number;
  /** When the last one failed, in milliseconds since 1970. */
  readonly last: number;
}

const minute = 60_000;
/** Milliseconds after the first failure: an operator that ended while the server validated a name answers again by then. */
const soon = minute;
/** Milliseconds after the second one. The orders of the first hour stay below the five failed validations of Let's Encrypt. */
const later = 15 * minute;
const longest = 32 * 60 * minute;

/**
 * When the next order may be created, in milliseconds since 1970: a minute after the first failure, 15 minutes after the
 * second, then twice as long each time. At once, if the clock was wrong when the last one failed.
 * @param now milliseconds since 1970
 */
export function retryTime({ count, last }: FailedOrders, now: number): number {
  if (count === 0) return last;
  if (isAhead(last, now)) return now;
  return last + (count === 1 ? soon : Math.min(longest, later * 2 ** (count - 2)));
}
