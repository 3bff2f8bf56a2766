import type { Failed, Period } from './counting-client.js';

/** What clients counted in a stretch of time. */
export interface Tally {
  /** By version. */
  readonly answers: Readonly<Record<string, number>>;
  readonly failed: readonly Failed[];
  /** When the last request that a version answered was sent, milliseconds since 1970; by version. */
  readonly last: Readonly<Record<string, number>>;
}

/**
 * Adds up what clients told.
 * @param since milliseconds since 1970: answers are left out of periods that began before, and failures of requests that
 * were sent before. @default all
 */
export function tallyOf(periods: readonly Period[], since = 0): Tally {
  const counted = periods.filter(({ from }) => from >= since);
  const answers: Record<string, number> = {};
  const last: Record<string, number> = {};
  for (const period of counted) {
    for (const [key, count] of Object.entries(period.answers)) {
      const [version = ''] = key.split(' ');
      answers[version] = (answers[version] ?? 0) + count;
    }
    for (const [version, at] of Object.entries(period.last)) last[version] = Math.max(last[version] ?? 0, at);
  }
  const failed = periods.flatMap((period) => period.failed).filter(({ at }) => at >= since);
  return { answers, last, failed };
}

/** All answers. */
export function answered({ answers }: Tally): number {
  return Object.values(answers).reduce((sum, count) => sum + count, 0);
}

/** Per cent of the answers that came from a version; NaN without any. */
export function shareOf(tally: Tally, version: string): number {
  return ((tally.answers[version] ?? 0) / answered(tally)) * 100;
}

/** The failures that a version is not to blame for: no answer, one of a proxy, one of another version. */
export function failuresBut({ failed }: Tally, version: string): readonly Failed[] {
  return failed.filter((one) => one.version !== version);
}

/** A tally in a line, for whoever reads the output of a run. */
export function told(tally: Tally): string {
  const { answers, failed } = tally;
  const versions = Object.keys(answers).sort();
  const shares = versions.map((version) => `${version}: ${shareOf(tally, version).toFixed(1)} %`);
  return [`${answered(tally)} answers`, ...shares, `${failed.length} failed`, ...reasonsOf(failed)].join(', ');
}

/** Each reason once: how often, of whom, and from when to when. */
function reasonsOf(failed: readonly Failed[]): readonly string[] {
  const reason = ({ why, version }: Failed) => (version === undefined ? why : `${why} of ${version}`);
  return [...new Set(failed.map(reason))].map((one) => {
    const times = failed.filter((other) => reason(other) === one).map(({ at }) => at);
    return `${times.length} ${one} (${timeOf(Math.min(...times))} to ${timeOf(Math.max(...times))})`;
  });
}

/** Of the day, in UTC, as `12:30:01.250`. */
function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, -1);
}
