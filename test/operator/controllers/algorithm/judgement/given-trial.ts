import type {
  IntervalNumbers,
  Sample,
  TrialSettings,
  TrialState,
} from '../../../../../operator/controllers/algorithm/judgement/index.js';
import { advanceOf, beginning } from '../../../../../operator/controllers/algorithm/judgement/index.js';
import { type Chance, drawn, drawnInto } from './given-chance.js';

/** A plan with the fields' defaults, and a quick one: one step of 20% for a minute. */
export function plan(differences: Partial<TrialSettings> = {}): TrialSettings {
  return {
    steps: [{ weight: 20, seconds: 60 }],
    standards: { success: 0.99 },
    minRequests: 200,
    failureLimit: 2,
    errorLimit: 5,
    interval: 10,
    deadline: 1800,
    bake: 0,
    actsOnVerdict: true,
    isPaused: false,
    ...differences,
  };
}

/** What a version is like: shares that add up to 1. */
export interface Quality {
  /** From 0 to 1. */
  readonly failing?: number;
  /** The share of the requests in each bucket of `latencyBounds`. */
  readonly latency?: readonly number[];
  /** The share of the answers in each bucket of `driftBounds`. */
  readonly drift?: readonly number[];
}

export const latencyBounds = [0.01, 0.025, 0.05, 0.1, 0.25];
export const driftBounds = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/** What so many requests of a version look like. */
export function drawnSample(chance: Chance, total: number, { failing = 0, latency, drift }: Quality): Sample {
  return {
    requests: { total, failed: drawn(chance, total, failing) },
    latency: latency && { bounds: latencyBounds, counts: drawnInto(chance, total, latency) },
    drift: drift && { bounds: driftBounds, counts: drawnInto(chance, total, drift) },
  };
}

/** An interval of ten seconds that ends at a number of seconds. */
export function tenSeconds(end: number, trial: Sample, stable: Sample = {}): IntervalNumbers {
  return { from: (end - 10) * 1000, until: end * 1000, trial, stable };
}

/** A whole trial: how it ended, after how many seconds, and how many requests the version got by then. */
export interface Played {
  readonly end: 'promoted' | 'Bad' | 'Deadline';
  readonly seconds: number;
  readonly requests: number;
}

/** Who takes part in a trial that is played. */
export interface Players {
  readonly trial: Quality;
  readonly stable?: Quality;
  /** Requests that the version on trial gets in ten seconds. @default 400, 20% of 200 a second */
  readonly requests?: number;
}

/** Plays a trial to its end, without a bake. */
export function played(chance: Chance, { trial, stable = {}, requests = 400 }: Players, one: TrialSettings): Played {
  let state: TrialState = beginning(0);
  for (let end = 10; ; end += 10) {
    const numbers = tenSeconds(end, drawnSample(chance, requests, trial), drawnSample(chance, 4 * requests, stable));
    const next = advanceOf(state, { now: end * 1000, isRouted: true, numbers }, one);
    state = next.state;
    const so = { seconds: end, requests: requests * (end / 10) };
    if (next.act.do === 'promote') return { end: 'promoted', ...so };
    if (next.act.do === 'takeBack') return { end: next.act.because, ...so };
  }
}
