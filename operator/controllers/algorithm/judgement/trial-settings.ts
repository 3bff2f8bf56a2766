import type { Standards } from './verdict.js';

/** A percentage of the requests, and its minimum duration. */
export interface WeightStep {
  /** Percentage of the requests that the version on trial gets. */
  readonly weight: number;
  /** Minimum duration of the step in seconds. The step lasts longer while the version is not proved good. */
  readonly seconds: number;
}

/** The settings of a trial. */
export interface TrialSettings {
  /** At least one. */
  readonly steps: readonly WeightStep[];
  readonly standards: Standards;
  /** Number of requests before the first analysis of a sample. */
  readonly minRequests: number;
  /** Number of bad verdicts that end the trial. 0 has the same effect as 1. */
  readonly failureLimit: number;
  /** Number of consecutive intervals without metrics before the sentence of the trial reports the gap. */
  readonly errorLimit: number;
  /** Seconds between two calls of `advanceOf`. Metrics older than three intervals are ignored. */
  readonly interval: number;
  /** Seconds after which a version that was not promoted is rolled back. */
  readonly deadline: number;
  /** Seconds after the promotion during which a bad verdict still rolls the version back. */
  readonly bake: number;
  /** If false, verdicts are reported, but neither roll a version back nor delay its promotion. */
  readonly actsOnVerdict: boolean;
  readonly isPaused: boolean;
}
