import { Cron } from 'croner';

/**
 * The last moment at which something was due, in milliseconds since 1970; undefined where there was none since. Missed
 * ones count once, however many there were.
 *
 * @param pattern five fields, as cron reads them, in UTC
 * @param since what was due before it does not count, and neither does what was due then
 */
export function lastDue(pattern: string, { since, now }: { since: number; now: number }): number | undefined {
  // A run that is due now has come, and croner counts those before.
  const runs = cron(pattern).previousRuns(2, new Date(now + 1_000));
  const due = runs.map((run) => run.getTime()).find((run) => run <= now);
  return due !== undefined && due > since ? due : undefined;
}

/** The next moment at which something is due; undefined of a schedule that never comes, as that of February 30. */
export function nextDue(pattern: string, now: number): number | undefined {
  return cron(pattern).nextRun(new Date(now))?.getTime();
}

/** @throws {TypeError} when it is no schedule */
function cron(pattern: string): Cron {
  return new Cron(pattern, { timezone: 'UTC', paused: true, mode: '5-part' });
}

/** How the name of a backup says when it was due: `20261121-030000`. */
export function dueText(due: number): string {
  return new Date(due)
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-');
}

/** When a backup was due, by the end of its name; undefined of one that no schedule has named. */
export function dueIn(name: string): number | undefined {
  const [, year, month, day, hour, minute, second] = /-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)$/.exec(name) ?? [];
  if (second === undefined) return undefined;
  const due = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(due) ? undefined : due;
}
