import type { AlgorithmSpecLifecycle } from '../../../../imports/index.js';
import { variantsOf } from '../../../../src/index.js';
import { timestampOf } from '../../../runtime/index.js';
import {
  beginning,
  freshStage,
  type IntervalNumbers,
  sumOf,
  type TrialPlan,
  type TrialState,
  trialStep,
  type Verdict,
  weightOf,
} from '../judgement/index.js';
import { increaseSince, intervalNumbersSince, type Known } from '../readings.js';
import { commandFor } from './command.js';
import type { TrialPhase } from './next-action.js';
import { planOf } from './plan.js';
import { variantSide } from './queries.js';
import type { Fault, TrialRecord } from './record.js';
import { readinessOf, type Situation } from './situation.js';
import { bearableWeight, isOf, isRolledOut, isUp } from './size.js';

/** What a look at a trial may know beside the situation. */
export interface Look {
  readonly situation: Situation;
  readonly course: TrialPhase;
  readonly known: Known;
  /** What keeps the pods of the version on trial; empty where nothing is seen. */
  readonly hindrance: string;
  /** When the pass began. Asked only where something depends on it. */
  now(): Date;
}

/** A trial after a look at it. */
export interface Progress {
  /** Undefined when nothing is left to remember. */
  readonly record: TrialRecord | undefined;
  /** What the numbers say, where they were judged now. */
  readonly verdict?: Verdict | undefined;
  /** Milliseconds until the next turn. */
  readonly nextTurn?: number | undefined;
}

/** Milliseconds after which an interval counts as over, of its second: the answers come at times of their own. */
const early = 500;
/** Intervals that a turn waits for the answers that are on their way. */
const patience = 2.5;

/** Takes a trial one step further, if it is time to. What is to be done follows from the record, in the next pass. */
export function progressOf(look: Look): Progress {
  const { course, situation } = look;
  const { lifecycle } = situation.resource.spec;
  if (course === 'begin') return { record: begun(look) };
  const progress = lifecycle && (course === 'try' || course === 'promote') ? advanced(look, lifecycle) : idle(look);
  return { ...progress, record: progress.record && given(unweighted(progress.record, look), look) };
}

function begun({ situation: { wanted }, now }: Look): TrialRecord {
  const at = now();
  const since = timestampOf(at);
  const id = `${wanted.name}-${at.getTime().toString(36)}`;
  return { id, revision: wanted.name, since, state: beginning(at.getTime()), sentence: 'its pods are being started' };
}

/** No trial goes on: what is left of one is remembered until its pods are gone, and a fault while it matters. */
function idle(look: Look): Progress {
  const { situation, course, now } = look;
  const { record, trial, wanted } = situation;
  if (record && (course === 'undo' || (course === 'rest' && record.revision === wanted.name && trial)))
    return { record };
  if (!trial) return { record: undefined };
  if (!record)
    return { record: { ...begun(look), revision: trial.revision ?? '', state: over(beginning(now().getTime())) } };
  return { record: record.state.stage === 'takenBack' ? record : { ...record, state: over(record.state) } };
}

/** A stage that is over, and the one that follows it. */
function over(state: TrialState, next: TrialState['stage'] = 'takenBack'): TrialState {
  return { ...state, ...freshStage, stage: next };
}

function advanced(look: Look, lifecycle: AlgorithmSpecLifecycle): Progress {
  const { situation } = look;
  const { record } = situation;
  if (!record) return { record };
  const plan = planOf(lifecycle, situation.resource.spec);
  const told = commanded(record, plan, look) ?? broken(record, look);
  if (told) return { record: told };
  if (record.state.stage === 'promoted') return { record: isFinished(situation) ? undefined : record };
  return judged(record, plan, look);
}

/** The version is the stable one, its pods are there, and those of the trial are gone. */
function isFinished(situation: Situation): boolean {
  return situation.isStable && situation.trial === undefined && isRolledOut(situation);
}

function commanded(record: TrialRecord, { bake }: TrialPlan, { situation, now }: Look): TrialRecord | undefined {
  const { stage } = record.state;
  const command = stage === 'promoted' ? undefined : commandFor(situation.resource, record.id);
  if (command === undefined || (command === 'promote' && record.isOrdered)) return undefined;
  if (command === 'abort') return takenBack(record, 'Aborted', 'somebody asked for it');
  const ordered = { ...record, isOrdered: true };
  if (stage === 'bake')
    return { ...ordered, state: over(record.state, 'promoted'), sentence: 'somebody asked for the end of its bake' };
  // It bakes as any other does. What its numbers said so far is overruled, so its bake begins without a bad verdict.
  const state = over(record.state, bake > 0 ? 'bake' : 'promoted');
  const begun = { ...state, failures: 0, fault: '', countedUntil: now().getTime() };
  return { ...ordered, state: begun, sentence: 'somebody asked for its promotion' };
}

/** A promotion whose pods do not come up goes back, however good the version was on trial. */
function broken(record: TrialRecord, { situation, course }: Look): TrialRecord | undefined {
  const { main, trial, wanted } = situation;
  if (course !== 'promote' || main?.revision !== wanted.name || main.failure === undefined) return undefined;
  return record.state.stage === 'bake' || trial ? takenBack(record, 'RolloutFailed', main.failure) : undefined;
}

function takenBack(record: TrialRecord, fault: Fault, sentence: string): TrialRecord {
  return { ...record, state: over(record.state), fault, sentence };
}

function judged(record: TrialRecord, plan: TrialPlan, { situation, course, known, hindrance, now }: Look): Progress {
  const { state } = record;
  const interval = plan.interval * 1000;
  const at = now().getTime();
  const elapsed = at - state.seenAt;
  const isRouted = course === 'try' ? isSplit(situation, weightOf(state, plan)) : isAlone(situation);
  const splitSince = isRouted ? (record.splitSince ?? at) : undefined;
  const seen = record.splitSince === splitSince ? record : { ...record, splitSince };
  const numbers = intervalNumbers(known, seen);
  const hasWaited = at - Math.max(state.seenAt, splitSince ?? 0) >= patience * interval;
  const isAwaited = isRouted && !numbers && known?.known === true && !hasWaited;
  const left = elapsed < interval - Math.min(early, interval / 2) ? interval - elapsed : undefined;
  if (left !== undefined || isAwaited) return { record: seen, nextTurn: left ?? interval / 2 };
  const { state: next, act, sentence, verdict } = trialStep(state, { now: at, isRouted, numbers }, plan);
  const fault = act.do === 'takeBack' ? act.because : undefined;
  const said = fault === undefined || isRouted ? sentence : explained(sentence, situation, hindrance);
  const variants = variantsAfter(seen, situation, numbers ? known : undefined);
  return { record: { ...seen, state: next, sentence: said, fault, variants }, verdict, nextTurn: interval };
}

/** What was counted since the last turn, of requests that were split as wanted; undefined while they are not. */
function intervalNumbers(known: Known, record: TrialRecord): IntervalNumbers | undefined {
  if (record.splitSince === undefined) return undefined;
  return intervalNumbersSince(countsSince(record), known, record.state.stage === 'bake');
}

/** The first moment whose requests a turn may count, in milliseconds since 1970. */
function countsSince({ state, splitSince = 0 }: TrialRecord): number {
  return Math.max(state.countedUntil, splitSince);
}

/** The proxies split the requests as they should, as far as the API server knows. */
function isSplit(situation: Situation, weight: number): boolean {
  const { traffic } = situation;
  return traffic.isSeen && traffic.weight === weight && bearableWeight(situation, weight) === weight;
}

/** The version serves alone. */
function isAlone(situation: Situation): boolean {
  const { traffic, isStable } = situation;
  return isStable && isRolledOut(situation) && traffic.isSeen && traffic.weight === 0;
}

/** Where a version on trial was not up at its end, that is what there is to say. */
function explained(sentence: string, { trial }: Situation, hindrance: string): string {
  return !trial || isUp(trial) ? sentence : `${sentence}; its pods: ${readinessOf(trial, hindrance)}`;
}

/** What variants have sent to the version, with what they did since the last turn. */
function variantsAfter(record: TrialRecord, { name, resource }: Situation, known: Known) {
  const { state, variants } = record;
  const named = variantsOf(name, resource.spec).map((variant) => variant.name);
  if (named.length === 0 || state.stage !== 'steps') return variants;
  const sums = named.map((one) => {
    const more = increaseSince(known, variantSide(one), countsSince(record))?.sample.requests;
    return [one, sumOf(variants?.[one] ?? { total: 0, failed: 0 }, more)] as const;
  });
  return Object.fromEntries(sums);
}

function unweighted(record: TrialRecord, { situation: { traffic }, now }: Look): TrialRecord {
  const isUnweighted = traffic.weight === 0 && (traffic.isSeen || !traffic.hasRoute);
  if (isUnweighted === (record.unweightedSince !== undefined)) return record;
  return { ...record, unweightedSince: isUnweighted ? now().getTime() : undefined };
}

function given(record: TrialRecord, { situation: { traffic, trial } }: Look): TrialRecord {
  const isGiven = traffic.weight > 0 && isOf(trial, record.revision);
  return isGiven && record.given !== traffic.weight ? { ...record, given: traffic.weight } : record;
}
