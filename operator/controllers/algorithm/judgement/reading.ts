import type { Histogram } from './statistics/histogram.js';

/** Counters of a proxy or a Pod since its start. Counters that it does not report are absent. */
export interface Counters {
  /** Requests by status code. Empty if the source counts requests but has seen none. */
  readonly codes?: Readonly<Record<string, number>> | undefined;
  /** In seconds. */
  readonly latency?: Histogram | undefined;
  /** Observations of the drift metric. */
  readonly drift?: Histogram | undefined;
}

/** The counters of all sources of one side at one time. */
export interface Reading {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** By a name that no other process ever gets, for example the UID of a Pod. `silent`: the source did not answer. */
  readonly sources: Readonly<Record<string, Counters | 'silent'>>;
}
