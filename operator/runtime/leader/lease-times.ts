/** Durations in milliseconds; the defaults are client-go's. */
export interface LeaseTimes {
  /** Another process may acquire a lease that was not renewed for this long. @default 15_000 */
  readonly duration: number;
  /**
   * A leader that could not renew the lease for this long steps down. The ratio of `duration` to this value is the
   * factor by which the leader's clock may run slower than that of a standby.
   * @default 10_000
   */
  readonly renewDeadline: number;
  /** Between two tries. @default 2_000 */
  readonly retryPeriod: number;
}

export const leaseTimes: LeaseTimes = { duration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 };

/** Why these times do not work together: one sentence for each fault, with what to do. */
export function faultsOf({ duration, renewDeadline, retryPeriod }: LeaseTimes): string[] {
  return [
    ...(duration <= renewDeadline
      ? [`the lease duration must be longer than its renew deadline, got ${duration} ms and ${renewDeadline} ms`]
      : []),
    // At least two tries, so that one lost response does not end the term.
    ...(renewDeadline < 2 * retryPeriod
      ? [
          `the lease renew deadline must be at least twice its retry period, got ${renewDeadline} ms and ${retryPeriod} ms`,
        ]
      : []),
  ];
}
