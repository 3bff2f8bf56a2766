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
 * Adds up the reports of clients.
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

/** A tally in one line for the output of a run. */
export function told(tally: Tally): string {
  const { answers, failed } = tally;
  const versions = Object.keys(answers).sort();
  const shares = versions.map((version) => `${version}: ${shareOf(tally, version).toFixed(1)} %`);
  return [`${answered(tally)} answers`, ...shares, `${failed.length} failed`, ...reasonsOf(failed)].join(', ');
}

/** Each reason once: how often, of whom, and from when to when. */
function reasonsOf(failed: readonly Failed[]): readonly string[] {
  return [...byReason(failed)].map(([reason, times]) => stretch(reason, times));
}

/** Milliseconds without a failure after which the next one is another story. */
const pause = 500;

/** The same, each stretch of it by itself: few lines, that tell what happened where nothing should have. */
export function stretchesOf(failed: readonly Failed[]): readonly string[] {
  return [...byReason(failed)].flatMap(([reason, times]) => {
    const begins = times.flatMap((at, index) =>
      at - (times[index - 1] ?? Number.NEGATIVE_INFINITY) > pause ? index : [],
    );
    return begins.map((begin, index) => stretch(reason, times.slice(begin, begins[index + 1])));
  });
}

/** When requests failed, from early to late, by why. */
function byReason(failed: readonly Failed[]): ReadonlyMap<string, readonly number[]> {
  const times = new Map<string, number[]>();
  for (const { at, why, version } of failed.toSorted((a, b) => a.at - b.at)) {
    const reason = version === undefined ? why : `${why} of ${version}`;
    const known = times.get(reason);
    if (known) known.push(at);
    else times.set(reason, [at]);
  }
  return times;
}

function stretch(reason: string, times: readonly number[]): string {
  return `${times.length} ${reason} (${timeOf(times[0] ?? 0)} to ${timeOf(times.at(-1) ?? 0)})`;
}

/** Of the day, in UTC, as `12:30:01.250`. */
function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, -1);
}
