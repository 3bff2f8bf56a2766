import { type Histogram, merged } from './statistics/histogram.js';

/** The number of answered requests, and how many of them failed. */
export interface Requests {
  readonly total: number;
  readonly failed: number;
}

/**
 * The metrics of one side over some time, for all its Pods together. A side is the stable version, the version on
 * trial or a variant. Absent means not measured, which differs from zero.
 */
export interface Sample {
  readonly requests?: Requests | undefined;
  /** In seconds. */
  readonly latency?: Histogram | undefined;
  /** Observations of the drift metric. */
  readonly drift?: Histogram | undefined;
}

/** Merges two samples of one side, from different Pods or different times. */
export function joined(one: Sample, other: Sample): Sample {
  return {
    requests: one.requests ? sumOf(one.requests, other.requests) : other.requests,
    latency: bothOf(one.latency, other.latency),
    drift: bothOf(one.drift, other.drift),
  };
}

/** The sum of two counts of requests, of which the second may be absent. */
export function sumOf(one: Requests, more: Requests | undefined): Requests {
  return more ? { total: one.total + more.total, failed: one.failed + more.failed } : one;
}

function bothOf(one: Histogram | undefined, other: Histogram | undefined): Histogram | undefined {
  return one && other ? merged(one, other) : (one ?? other);
}
