import type { Finding, Judgement } from './finding.js';
import type { Increase } from './increase.js';
import { joined, type Requests, sumOf } from './sample.js';
import { nextLookAt } from './statistics/risk.js';
import type { TrialSettings } from './trial-settings.js';
import { freshStage, type TrialState } from './trial-state.js';
import { missingIn, type Numbers, type Standards, type Verdict, verdictOf } from './verdict.js';
import { counted as inWords } from './wording.js';

/** The metrics of both sides over the same time. */
export interface IntervalNumbers extends Numbers, Pick<Increase, 'from' | 'until'> {}

/** A trial after the metrics of an interval were added, and the verdict on the version so far. */
export interface Counted {
  readonly state: TrialState;
  /** Absent if there is nothing new. */
  readonly verdict?: Verdict;
}

/** Adds the metrics of an interval to the sample, and analyzes the sample when it is large enough. */
export function count(state: TrialState, numbers: IntervalNumbers | undefined, settings: TrialSettings): Counted {
  const standards = standardsOf(state, settings);
  const maxAge = 3 * settings.interval * 1000;
  if (!numbers) return missing(state, 'No source answered', settings);
  if (state.seenAt - numbers.until > maxAge)
    return missing(state, 'The latest metrics are older than 3 intervals', settings);
  if (numbers.from < state.countedUntil) return { state };
  const absent = missingIn(numbers, standards);
  const sample = {
    trial: joined(state.sample.trial, numbers.trial),
    stable: joined(state.sample.stable, numbers.stable),
  };
  const added = {
    ...state,
    countedUntil: numbers.until,
    sample,
    requests: sumOf(state.requests, numbers.trial.requests),
  };
  const needed = nextLookAt(state.lookedAt, settings.minRequests);
  const { requests = { total: 0, failed: 0 } } = sample.trial;
  if (requests.total >= needed) return look({ ...added, errors: absent ? state.errors + 1 : 0 }, standards);
  if (absent) return missing(added, absent, settings);
  const sentence = `${inWords(requests.total)} of the ${inWords(needed)} requests that the next analysis needs were answered`;
  return { state: { ...added, errors: 0 }, verdict: unlooked('undecided', sentence, requests) };
}

/** After the promotion no other stable version runs, so drift cannot be measured. */
function standardsOf({ stage }: TrialState, { standards }: TrialSettings): Standards {
  return stage === 'bake' ? { ...standards, drift: undefined } : standards;
}

/** A good or bad verdict starts a new sample, so that a long good history cannot hide a regression. */
function look(state: TrialState, standards: Standards): Counted {
  const verdict = verdictOf(state.sample, standards, state.looks + 1);
  const looked = {
    ...state,
    looks: state.looks + 1,
    lookedAt: state.sample.trial.requests?.total ?? 0,
    failures: state.failures + (verdict.verdict === 'bad' ? 1 : 0),
    said: saidAfter(state.said, verdict.verdict),
    proof: verdict.verdict === 'good' ? verdict.sentence : state.proof,
    fault: verdict.verdict === 'bad' ? verdict.sentence : state.fault,
  };
  const isSaid = verdict.verdict === 'bad' || verdict.verdict === 'good';
  return { state: isSaid ? { ...looked, sample: freshStage.sample, lookedAt: freshStage.lookedAt } : looked, verdict };
}

function saidAfter(before: TrialState['said'], now: Judgement): TrialState['said'] {
  if (now === 'good' || now === 'bad') return now;
  return before === 'nothing' && now === 'undecided' ? 'undecided' : before;
}

function missing(state: TrialState, why: string, { errorLimit }: TrialSettings): Counted {
  const errors = state.errors + 1;
  const since = errors >= errorLimit ? `No metrics for ${errors} consecutive intervals` : 'No metrics';
  const verdict = unlooked('missing', `${since}: ${why}`, state.sample.trial.requests);
  return { state: { ...state, errors }, verdict };
}

function unlooked(verdict: 'undecided' | 'missing', sentence: string, requests: Requests | undefined): Verdict {
  const total = requests?.total ?? 0;
  const seen = requests && total > 0 ? { value: 1 - requests.failed / total } : {};
  const success: Finding = { verdict, sentence, count: total, ...seen };
  return { verdict, sentence, success };
}
