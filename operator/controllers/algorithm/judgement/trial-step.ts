import { count, type IntervalNumbers } from './count.js';
import type { TrialPlan } from './plan.js';
import { freshStage, type TrialState } from './trial-state.js';
import type { Verdict } from './verdict.js';
import { duration } from './wording.js';

/** What a turn is told. */
export interface Interval {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The proxies split the requests as `weightOf` says, and it was seen that they do. */
  readonly isRouted: boolean;
  /**
   * What was counted since the last turn, absent when nobody could be asked. Numbers that begin before the state's
   * `countedUntil` are not taken: who can choose, asks for those since then.
   */
  readonly numbers?: IntervalNumbers | undefined;
}

/** What is to be done now. The new state says the same: `weightOf` it is what the requests should be split like. */
export type Act =
  | { readonly do: 'wait' }
  /** Give the version more requests. */
  | { readonly do: 'step'; readonly weight: number }
  /** Give it all of them, and keep the version before until the bake is over. */
  | { readonly do: 'promote' }
  /** The bake is over: the version before may go. */
  | { readonly do: 'finish' }
  /** Give all requests to the version before. */
  | { readonly do: 'takeBack'; readonly because: 'Bad' | 'Deadline' };

/** A trial one interval later. */
export interface TrialStep {
  readonly state: TrialState;
  readonly act: Act;
  /** What is the matter, for people. */
  readonly sentence: string;
  /** Absent where nothing is news. */
  readonly verdict?: Verdict | undefined;
}

/**
 * One turn of a trial, once an interval: counts the numbers, looks at them when it is time to, and says what to do.
 *
 * - While requests are not split as wanted, nothing counts but the deadline.
 * - While the trial is paused, numbers are judged and said, but nothing is done and no time goes by.
 * - To be told the same numbers again, by an operator that was killed before it could keep the state, changes nothing.
 */
export function trialStep(before: TrialState, interval: Interval, plan: TrialPlan): TrialStep {
  if (before.stage === 'promoted' || before.stage === 'takenBack')
    return { state: before, act: wait, sentence: 'the trial is over' };
  const timed = later(before, interval, plan);
  const { state, verdict } = interval.isRouted ? count(timed, interval.numbers, plan) : { state: timed };
  const act = actOf(state, interval, plan);
  return {
    state: after(state, act, plan),
    act,
    sentence: sentenceOf({ act, state, verdict }, interval, plan),
    verdict,
  };
}

const wait: Act = { do: 'wait' };

function later(state: TrialState, { now, isRouted }: Interval, { isPaused }: TrialPlan): TrialState {
  const passed = isPaused ? 0 : Math.max(0, now - state.seenAt) / 1000;
  return {
    ...state,
    seenAt: now,
    seconds: state.seconds + passed,
    stageSeconds: state.stageSeconds + (isRouted ? passed : 0),
  };
}

function actOf(state: TrialState, { isRouted }: Interval, plan: TrialPlan): Act {
  if (plan.isPaused) return wait;
  const isBad = state.failures >= Math.max(1, plan.failureLimit);
  if (isBad && plan.actsOnVerdict) return { do: 'takeBack', because: 'Bad' };
  if (state.stage === 'bake') return state.stageSeconds >= plan.bake ? { do: 'finish' } : wait;
  const isProved = plan.actsOnVerdict ? state.said === 'good' : state.said !== 'nothing';
  // A version that nobody can see at present gets no more requests, however good it was.
  const isSeen = isRouted && state.errors === 0;
  if (isProved && isSeen && state.stageSeconds >= (plan.steps[state.step]?.seconds ?? 0)) {
    const next = plan.steps[state.step + 1];
    return next ? { do: 'step', weight: next.weight } : { do: 'promote' };
  }
  return state.seconds >= plan.deadline ? { do: 'takeBack', because: 'Deadline' } : wait;
}

/** The state that an act leads to. What was counted at another share of the requests is no part of the new stage. */
function after(state: TrialState, act: Act, { bake }: TrialPlan): TrialState {
  const fresh = { ...state, ...freshStage, countedUntil: state.seenAt };
  if (act.do === 'step') return { ...fresh, step: state.step + 1 };
  if (act.do === 'promote') return { ...fresh, stage: bake > 0 ? 'bake' : 'promoted' };
  if (act.do === 'finish') return { ...fresh, stage: 'promoted' };
  return act.do === 'takeBack' ? { ...fresh, stage: 'takenBack' } : state;
}

/** Why something is done, or else what there is to say now. */
function sentenceOf(
  { act, state, verdict }: Omit<TrialStep, 'sentence'>,
  { isRouted }: Interval,
  plan: TrialPlan,
): string {
  const unjudged = isRouted ? 'there are no newer numbers' : 'the requests are not split as wanted yet';
  const said = verdict?.sentence ?? unjudged;
  if (act.do === 'takeBack' && act.because === 'Bad') return state.fault;
  if (act.do === 'takeBack') return `not proved good in ${duration(plan.deadline)}: ${said}`;
  return act.do === 'wait' || state.proof === '' ? said : state.proof;
}
