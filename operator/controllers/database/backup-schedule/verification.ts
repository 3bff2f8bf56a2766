import type { DatabaseBackupResource, DatabaseSpec } from '../../../../imports/index.js';

/** The interval between verifications. */
export type Interval = NonNullable<DatabaseSpec['backup']>['verify'];

const day = 86_400_000;
const intervals: Readonly<Record<Exclude<Interval, 'Never'>, number>> = {
  Daily: day,
  Weekly: 7 * day,
  Monthly: 30 * day,
};

/**
 * The next backup to verify: the newest, if no verification succeeded within the interval. A failed verification makes
 * the next backup due.
 * @param candidates complete backups, the oldest first
 * @returns undefined when none is due, or one is being verified
 */
export function nextVerified(
  candidates: readonly DatabaseBackupResource[],
  interval: Interval,
  now: number,
): DatabaseBackupResource | undefined {
  if (interval === 'Never') return undefined;
  const good = candidates.flatMap(({ status }) => {
    const { result, at } = status?.verified ?? {};
    return result === 'RestoreSucceeded' && at !== undefined ? [Date.parse(at)] : [];
  });
  const newest = candidates.at(-1);
  const isDue = Math.max(...good, Number.NEGATIVE_INFINITY) + intervals[interval] <= now;
  return isDue && newest?.status?.verified?.result === undefined ? newest : undefined;
}
