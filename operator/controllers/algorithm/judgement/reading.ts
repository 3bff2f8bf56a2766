import type { Histogram } from './statistics/histogram.js';

/** What a proxy or a pod has counted since it started. What it does not tell is absent. */
export interface Counters {
  /** Requests by status code. Empty: it counts them, and there was none yet. */
  readonly codes?: Readonly<Record<string, number>> | undefined;
  /** In seconds. */
  readonly latency?: Histogram | undefined;
  /** Of the metric whose drift is judged. */
  readonly drift?: Histogram | undefined;
}

/** What everybody who counts for one side told at one time. */
export interface Reading {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** By a name that no other process ever gets, as a pod's UID. `silent`: it was there, but did not tell. */
  readonly sources: Readonly<Record<string, Counters | 'silent'>>;
}
