import { count, type IntervalNumbers } from './count.js';
import type { TrialSettings } from './trial-settings.js';
import { freshStage, type TrialState } from './trial-state.js';
import type { Verdict } from './verdict.js';
import { duration } from './wording.js';

/** The input at the end of one interval. */
export interface Interval {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** True if the proxies are known to split the requests as `weightOf` requires. */
  readonly isRouted: boolean;
  /**
   * Metrics since the last call; absent if no source answered. Metrics that start before `countedUntil` of the state
   * are ignored, so callers should ask for those since then.
   */
  readonly numbers?: IntervalNumbers | undefined;
}

/** The action to take now. `weightOf` the new state gives the same split of the requests. */
export type Act =
  | { readonly do: 'wait' }
  /** Sends more requests to the version. */
  | { readonly do: 'step'; readonly weight: number }
  /** Sends all requests to the version, and keeps the previous version until the bake ends. */
  | { readonly do: 'promote' }
  /** The bake has ended, so the previous version may be deleted. */
  | { readonly do: 'finish' }
  /** Rolls back: sends all requests to the previous version. */
  | { readonly do: 'takeBack'; readonly because: 'Bad' | 'Deadline' };

/** A trial after one interval. */
export interface TrialAdvance {
  readonly state: TrialState;
  readonly act: Act;
  /** The state of the trial, for users. */
  readonly sentence: string;
  /** Absent if there is nothing new. */
  readonly verdict?: Verdict | undefined;
}

/**
 * Advances a trial, once per interval: adds the metrics, analyzes them when due, and returns the next action.
 *
 * - While the requests are not split as desired, only the deadline advances.
 * - While the trial is paused, metrics are analyzed and reported, but no action is taken and the timers stop.
 * - The same metrics twice have no effect. This happens if the operator is killed before it stores the state.
 */
export function advanceOf(before: TrialState, interval: Interval, settings: TrialSettings): TrialAdvance {
  if (before.stage === 'promoted' || before.stage === 'takenBack')
    return { state: before, act: wait, sentence: 'The trial has ended' };
  const timed = later(before, interval, settings);
  const { state, verdict } = interval.isRouted ? count(timed, interval.numbers, settings) : { state: timed };
  const act = actOf(state, interval, settings);
  return {
    state: after(state, act, settings),
    act,
    sentence: sentenceOf({ act, state, verdict }, interval, settings),
    verdict,
  };
}

const wait: Act = { do: 'wait' };

function later(state: TrialState, { now, isRouted }: Interval, { isPaused }: TrialSettings): TrialState {
  const passed = isPaused ? 0 : Math.max(0, now - state.seenAt) / 1000;
  return {
    ...state,
    seenAt: now,
    seconds: state.seconds + passed,
    stageSeconds: state.stageSeconds + (isRouted ? passed : 0),
  };
}

function actOf(state: TrialState, { isRouted }: Interval, settings: TrialSettings): Act {
  if (settings.isPaused) return wait;
  const isBad = state.failures >= Math.max(1, settings.failureLimit);
  if (isBad && settings.actsOnVerdict) return { do: 'takeBack', because: 'Bad' };
  if (state.stage === 'bake') return state.stageSeconds >= settings.bake ? { do: 'finish' } : wait;
  const isProved = settings.actsOnVerdict ? state.said === 'good' : state.said !== 'nothing';
  // A version without current metrics gets no more requests, even if it was good before.
  const isSeen = isRouted && state.errors === 0;
  if (isProved && isSeen && state.stageSeconds >= (settings.steps[state.step]?.seconds ?? 0)) {
    const next = settings.steps[state.step + 1];
    return next ? { do: 'step', weight: next.weight } : { do: 'promote' };
  }
  return state.seconds >= settings.deadline ? { do: 'takeBack', because: 'Deadline' } : wait;
}

/** The state after an action. Counts from another split of the requests do not carry over to the new stage. */
function after(state: TrialState, act: Act, { bake }: TrialSettings): TrialState {
  const fresh = { ...state, ...freshStage, countedUntil: state.seenAt };
  if (act.do === 'step') return { ...fresh, step: state.step + 1 };
  if (act.do === 'promote') return { ...fresh, stage: bake > 0 ? 'bake' : 'promoted' };
  if (act.do === 'finish') return { ...fresh, stage: 'promoted' };
  return act.do === 'takeBack' ? { ...fresh, stage: 'takenBack' } : state;
}

/** The cause of an action, or else the current state of the trial. */
function sentenceOf(
  { act, state, verdict }: Omit<TrialAdvance, 'sentence'>,
  { isRouted }: Interval,
  settings: TrialSettings,
): string {
  const unjudged = isRouted
    ? 'No newer metrics are available'
    : 'The gateway does not split the requests as desired yet';
  const said = verdict?.sentence ?? unjudged;
  if (act.do === 'takeBack' && act.because === 'Bad') return state.fault;
  if (act.do === 'takeBack') return `Not proved good within ${duration(settings.deadline)}: ${said}`;
  return act.do === 'wait' || state.proof === '' ? said : state.proof;
}
