import { type Histogram, merged } from './statistics/histogram.js';

/** Requests that were answered, and those of them that failed. */
export interface Requests {
  readonly total: number;
  readonly failed: number;
}

/**
 * What one side did in some time: the stable version, the one on trial, or a variant; all its pods together. What nobody
 * counted is absent, which is not the same as none.
 */
export interface Sample {
  readonly requests?: Requests | undefined;
  /** In seconds. */
  readonly latency?: Histogram | undefined;
  /** Of the metric whose drift is judged. */
  readonly drift?: Histogram | undefined;
}

/** Two samples of one side, of other pods or other times, as one. */
export function joined(one: Sample, other: Sample): Sample {
  return {
    requests: one.requests ? sumOf(one.requests, other.requests) : other.requests,
    latency: bothOf(one.latency, other.latency),
    drift: bothOf(one.drift, other.drift),
  };
}

/** Requests and perhaps more of them. */
export function sumOf(one: Requests, more: Requests | undefined): Requests {
  return more ? { total: one.total + more.total, failed: one.failed + more.failed } : one;
}

function bothOf(one: Histogram | undefined, other: Histogram | undefined): Histogram | undefined {
  return one && other ? merged(one, other) : (one ?? other);
}
