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
 * @param since milliseconds since 1970: periods that began before are left out. @default all
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
  return { answers, last, failed: counted.flatMap(({ failed }) => failed) };
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
  const versions = Object.keys(tally.answers).sort();
  const shares = versions.map((version) => `${version}: ${shareOf(tally, version).toFixed(1)} %`);
  const reasons = tally.failed.map(({ why, version }) => (version === undefined ? why : `${why} of ${version}`));
  const failures = [...new Set(reasons)].map((one) => `${reasons.filter((reason) => reason === one).length} ${one}`);
  return [`${answered(tally)} answers`, ...shares, `${tally.failed.length} failed`, ...failures].join(', ');
}
