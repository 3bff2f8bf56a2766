import { secondsOf } from '../../../../crds/index.js';
import type { AlgorithmSpecSla, AlgorithmStatusSla } from '../../../../imports/index.js';
import type { Increase } from '../judgement/index.js';

/** Milliseconds between two writes of the requests of a service level. A change of `SlaMet` is written at once. */
export const writtenEvery = 60_000;
/** Number of buckets per window. Requests leave the window up to one bucket late. */
const parts = 30;

/** The state of a service level, from the requests counted so far. */
export interface Budget extends AlgorithmStatusSla {
  readonly isMet: boolean | undefined;
}

/**
 * The requests of a window, including those counted since the last status write.
 * @param now milliseconds since 1970
 */
export function budgetAfter(
  before: AlgorithmStatusSla | undefined,
  { availability, window }: AlgorithmSpecSla,
  { increase, now, at }: { increase: Increase | undefined; now: number; at: string },
): Budget {
  const length = secondsOf(window) * 1000;
  const part = Math.ceil(length / parts);
  const { requests: more = { total: 0, failed: 0 } } = increase?.sample ?? {};
  const until = Math.ceil((increase?.until ?? now) / part) * part;
  const kept = (before?.buckets ?? []).filter((bucket) => bucket.until > now - length);
  const last = kept.find((bucket) => bucket.until === until) ?? { until, total: 0, failed: 0 };
  const grown = { until, total: last.total + more.total, failed: last.failed + more.failed };
  const buckets = [...kept.filter((bucket) => bucket !== last), ...(grown.total > 0 ? [grown] : [])];
  const requests = sum(buckets.map(({ total }) => total));
  const failed = sum(buckets.map((bucket) => bucket.failed));
  const countedUntil = increase?.until ?? before?.countedUntil;
  return {
    requests,
    failed,
    since: before?.since ?? at,
    buckets,
    ...(countedUntil !== undefined && { countedUntil }),
    ...(requests > 0 && { availability: rounded(1 - failed / requests) }),
    ...(requests > 0 && { burnRate: rounded(failed / requests / (1 - availability)) }),
    isMet: requests > 0 ? 1 - failed / requests >= availability : undefined,
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Rounded to six digits: more would be noise. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
