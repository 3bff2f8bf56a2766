import type { Standards } from './verdict.js';

/** A share of the requests, and for how long at the least. */
export interface Step {
  /** Per cent of the requests that the version on trial gets. */
  readonly weight: number;
  /** Seconds that it gets them at the least; longer while nothing is proved. */
  readonly seconds: number;
}

/** How a version is tried. */
export interface TrialPlan {
  /** One at the least. */
  readonly steps: readonly Step[];
  readonly standards: Standards;
  /** Requests before the first look at a sample. */
  readonly minRequests: number;
  /** So many bad verdicts in all end the trial; the first one for 0. */
  readonly failureLimit: number;
  /** So many intervals without numbers in a row are a reason to say so. */
  readonly errorLimit: number;
  /** Seconds between two turns. Numbers that are older than three of them are none. */
  readonly interval: number;
  /** Seconds after which a version that is not promoted is taken back. */
  readonly deadline: number;
  /** Seconds after the promotion in which a bad verdict still takes the version back. */
  readonly bake: number;
  /** False: a verdict is said, but neither takes a version back nor holds it up. */
  readonly actsOnVerdict: boolean;
  readonly isPaused: boolean;
}
