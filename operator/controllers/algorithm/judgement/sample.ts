import { type Histogram, merged } from './histogram.js';

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
    requests: both(one.requests, other.requests, added),
    latency: both(one.latency, other.latency, merged),
    drift: both(one.drift, other.drift, merged),
  };
}

function both<Value>(one: Value | undefined, other: Value | undefined, sum: (a: Value, b: Value) => Value) {
  return one !== undefined && other !== undefined ? sum(one, other) : (one ?? other);
}

function added(one: Requests, other: Requests): Requests {
  return { total: one.total + other.total, failed: one.failed + other.failed };
}
