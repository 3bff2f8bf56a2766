import type { Polled } from '../../../runtime/index.js';
import { type Increase, type IntervalNumbers, increaseOf, type Reading } from '../judgement/index.js';
import type { RequestMetricsAnswer } from '../ports/request-metrics.js';

/** The polled request metrics; undefined if they are not polled. */
export type PolledMetrics = Polled<RequestMetricsAnswer> | undefined;

/** Milliseconds after which every proxy uses the new weights of a route. */
const appliedAfter = 2_000;

/** The counts of a side since a time in milliseconds since 1970; undefined for fewer than two readings. */
export function increaseSince(polled: PolledMetrics, side: string, since: number): Increase | undefined {
  return increaseOf(readingsSince(polled, side, since));
}

/** The metrics for one step of a trial. After the promotion the version is the stable side. */
export function intervalNumbersSince(
  since: number,
  polled: PolledMetrics,
  isPromoted: boolean,
): IntervalNumbers | undefined {
  const trial = increaseSince(polled, isPromoted ? 'stable' : 'trial', since);
  const stable = increaseSince(polled, 'stable', since);
  return trial && stable && { from: trial.from, until: trial.until, trial: trial.sample, stable: stable.sample };
}

/**
 * True if every proxy reported in the last two readings, and none sent a request to the version on trial in between.
 * @param since the time since which the route gives it no requests, in milliseconds since 1970
 */
export function getsNoRequests(polled: PolledMetrics, since: number): boolean {
  const answers = answersOf(polled).map(byProxies);
  const readings = answers.filter(({ at }) => at >= since + appliedAfter).slice(-2);
  const sources = readings.flatMap((reading) => Object.values(reading.sources));
  if (readings.length < 2 || sources.length === 0 || sources.includes('silent')) return false;
  return increaseOf(readings)?.sample.requests?.total === 0;
}

function readingsSince(polled: PolledMetrics, side: string, since: number): Reading[] {
  const readings = answersOf(polled).flatMap(({ sides }) => sides[side] ?? []);
  return readings.filter(({ at }) => at >= since);
}

function answersOf(polled: PolledMetrics): readonly RequestMetricsAnswer[] {
  if (!polled) return [];
  return (polled.known ? [...polled.earlier, polled] : polled.earlier).map(({ value }) => value);
}

/** The reading of the version on trial from the proxies only: its own Pods may be silent because the version is bad. */
function byProxies({ sides: { trial = { at: 0, sources: {} } }, proxies }: RequestMetricsAnswer): Reading {
  const sources = Object.entries(trial.sources).filter(([name]) => proxies.includes(name));
  return { at: trial.at, sources: Object.fromEntries(sources) };
}
