import { Cron } from 'croner';

// Of what is no schedule, which the spec's `Accepted` tells with what to do, nothing is due.

/**
 * The last moment at which something was due, in milliseconds since 1970; undefined where there was none since. Missed
 * ones count once, however many there were.
 *
 * @param pattern five fields, as cron reads them, in UTC
 * @param since what was due before it does not count, and neither does what was due then
 */
export function lastDue(pattern: string, { since, now }: { since: number; now: number }): number | undefined {
  // A run that is due now has come, and croner counts those before.
  const runs = cron(pattern)?.previousRuns(2, new Date(now + 1_000)) ?? [];
  const due = runs.map((run) => run.getTime()).find((run) => run <= now);
  return due !== undefined && due > since ? due : undefined;
}

/** The next moment at which something is due; undefined of a schedule that never comes, as that of February 30. */
export function nextDue(pattern: string, now: number): number | undefined {
  return cron(pattern)?.nextRun(new Date(now))?.getTime();
}

/** The moment at which something is due for the n-th time after another one; undefined where it is not due so often. */
export function nthDue(pattern: string, n: number, since: number): number | undefined {
  return cron(pattern)?.nextRuns(n, new Date(since))[n - 1]?.getTime();
}

/** Whether it is read as one. */
export function isSchedule(pattern: string): boolean {
  return cron(pattern) !== undefined;
}

/** Undefined when it is no schedule. */
function cron(pattern: string): Cron | undefined {
  try {
    return new Cron(pattern, { timezone: 'UTC', paused: true, mode: '5-part' });
  } catch {
    return undefined;
  }
}
