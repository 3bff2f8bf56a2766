/** Durations in milliseconds; the defaults are client-go's. */
export interface LeaseTimes {
  /** A lease that is not renewed for this long may be taken. @default 15_000 */
  readonly duration: number;
  /**
   * A leader that could not renew for this long steps down. How many times shorter it is than `duration`, so many times
   * slower may the leader's clock run than that of who stands by.
   * @default 10_000
   */
  readonly renewDeadline: number;
  /** Between two tries. @default 2_000 */
  readonly retryPeriod: number;
}

export const leaseTimes: LeaseTimes = { duration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 };

/** What keeps these times from doing their work, in a sentence each that says what to do. */
export function faultsOf({ duration, renewDeadline, retryPeriod }: LeaseTimes): string[] {
  return [
    ...(duration <= renewDeadline
      ? [`the lease's duration must be longer than its renew deadline, got ${duration} ms and ${renewDeadline} ms`]
      : []),
    // Two tries at least, so that one lost answer ends no term.
    ...(renewDeadline < 2 * retryPeriod
      ? [
          `the lease's renew deadline must be twice its retry period or more, got ${renewDeadline} ms and ${retryPeriod} ms`,
        ]
      : []),
  ];
}
