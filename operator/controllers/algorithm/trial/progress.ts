import type { AlgorithmSpecLifecycle } from '../../../../imports/index.js';
import { variantsOf } from '../../../../src/index.js';
import { timestampOf } from '../../../runtime/index.js';
import {
  advanceOf,
  beginning,
  freshStage,
  type IntervalNumbers,
  sumOf,
  type TrialSettings,
  type TrialState,
  type Verdict,
  weightOf,
} from '../judgement/index.js';
import { increaseSince, intervalNumbersSince, type PolledMetrics } from '../request-metrics/polled-metrics.js';
import { capacityAfter } from './plan/capacity.js';
import type { Step } from './plan/index.js';
import { bearableWeight, isRolledOut } from './plan/size.js';
import { variantSide } from './polls.js';
import { commandFor } from './resource/command.js';
import type { Fault, TrialRecord } from './resource/record.js';
import { settingsOf } from './resource/settings.js';
import type { Situation } from './situation.js';
import { isOf, isUp, readinessOf } from './view.js';

/** The input of one check of a trial, beside the situation. */
export interface Check {
  readonly situation: Situation;
  readonly step: Step;
  readonly polled: PolledMetrics;
  /** The cause why Pods of the version on trial are not ready; empty if none is known. */
  readonly hindrance: string;
  /** The start of the reconcile. Called only if something depends on it. */
  now(): Date;
}

/** A trial after one check. */
export interface Progress {
  /** Undefined if there is nothing left to remember. */
  readonly record: TrialRecord | undefined;
  /** The verdict, if the metrics were analyzed in this check. */
  readonly verdict?: Verdict | undefined;
  /** Milliseconds until the next step. */
  readonly nextTurn?: number | undefined;
}

/** Milliseconds by which an interval may end early, because answers do not arrive exactly in time. */
const tolerance = 500;
/** Number of intervals that a step waits for outstanding answers. */
const longestWait = 2.5;

/** Advances a trial by one step if it is due. The next reconcile acts on the new record. */
export function progressOf(check: Check): Progress {
  const { step, situation } = check;
  const { lifecycle } = situation.resource.spec;
  if (step === 'begin') return { record: withCapacity(newRecord(check), check) };
  const progress =
    lifecycle && (step === 'try' || step === 'promote') ? withTrial(check, lifecycle) : withoutTrial(check);
  return {
    ...progress,
    record: progress.record && withCapacity(withGivenWeight(withUnweightedSince(progress.record, check), check), check),
  };
}

function newRecord({ situation: { wanted }, now }: Check): TrialRecord {
  const at = now();
  const since = timestampOf(at);
  const id = `${wanted.name}-${at.getTime().toString(36)}`;
  return {
    id,
    revision: wanted.name,
    since,
    state: beginning(at.getTime()),
    sentence: 'The Pods of the version on trial are starting',
  };
}

/**
 * No trial runs. The record of the last one is kept until its Pods are gone and the autoscaler has measured the others,
 * and a fault while it matters. Without its Pods it is of no version, so that the version can be tried again.
 */
function withoutTrial(check: Check): Progress {
  const { situation, step, now } = check;
  const { record, trial, wanted } = situation;
  if (record && (step === 'undo' || (step === 'rest' && record.revision === wanted.name && trial))) return { record };
  if (!trial) return { record: record?.capacity && { ...record, revision: '', state: atStage(record.state) } };
  if (!record)
    return {
      record: { ...newRecord(check), revision: trial.revision ?? '', state: atStage(beginning(now().getTime())) },
    };
  return { record: record.state.stage === 'takenBack' ? record : { ...record, state: atStage(record.state) } };
}

/** The state after the end of a stage, at the start of the next one. */
function atStage(state: TrialState, next: TrialState['stage'] = 'takenBack'): TrialState {
  return { ...state, ...freshStage, stage: next };
}

function withTrial(check: Check, lifecycle: AlgorithmSpecLifecycle): Progress {
  const { situation } = check;
  const { record } = situation;
  if (!record) return { record };
  const settings = settingsOf(lifecycle, situation.resource.spec);
  const ended = afterCommand(record, settings, check) ?? afterFailedRollout(record, check);
  if (ended) return { record: ended };
  if (record.state.stage === 'promoted') return { record: isFinished(situation) ? undefined : record };
  return afterInterval(record, settings, check);
}

/** True if the version is the stable one, its Pods are ready, and those of the trial are gone. */
function isFinished(situation: Situation): boolean {
  const { isStable, trial, record } = situation;
  return isStable && trial === undefined && record?.capacity === undefined && isRolledOut(situation);
}

function afterCommand(
  record: TrialRecord,
  { bake }: TrialSettings,
  { situation, now }: Check,
): TrialRecord | undefined {
  const { stage } = record.state;
  const command = stage === 'promoted' ? undefined : commandFor(situation.resource, record.id);
  if (command === undefined || (command === 'promote' && record.isOrdered)) return undefined;
  if (command === 'abort') return rolledBack(record, 'Aborted', 'The trial annotation requested the rollback');
  const ordered = { ...record, isOrdered: true };
  if (stage === 'bake')
    return {
      ...ordered,
      state: atStage(record.state, 'promoted'),
      sentence: 'The trial annotation requested the end of the bake',
    };
  // A requested promotion bakes too. It overrules the earlier verdicts, so its bake starts without a bad one.
  const state = atStage(record.state, bake > 0 ? 'bake' : 'promoted');
  const begun = { ...state, failures: 0, fault: '', countedUntil: now().getTime() };
  return { ...ordered, state: begun, sentence: 'The trial annotation requested the promotion' };
}

/** A promotion whose Pods do not become ready is rolled back, even if the version was good on trial. */
function afterFailedRollout(record: TrialRecord, { situation, step }: Check): TrialRecord | undefined {
  const { main, trial, wanted } = situation;
  if (step !== 'promote' || main?.revision !== wanted.name || main.failure === undefined) return undefined;
  return record.state.stage === 'bake' || trial ? rolledBack(record, 'RolloutFailed', main.failure) : undefined;
}

function rolledBack(record: TrialRecord, fault: Fault, sentence: string): TrialRecord {
  return { ...record, state: atStage(record.state), fault, sentence };
}

function afterInterval(
  record: TrialRecord,
  settings: TrialSettings,
  { situation, step, polled, hindrance, now }: Check,
): Progress {
  const { state } = record;
  const interval = settings.interval * 1000;
  const at = now().getTime();
  const elapsed = at - state.seenAt;
  const isRouted = step === 'try' ? isSplit(situation, weightOf(state, settings)) : isAlone(situation);
  const splitSince = isRouted ? (record.splitSince ?? at) : undefined;
  const seen = record.splitSince === splitSince ? record : { ...record, splitSince };
  const numbers = intervalNumbers(polled, seen);
  const hasWaited = at - Math.max(state.seenAt, splitSince ?? 0) >= longestWait * interval;
  const isAwaited = isRouted && !numbers && polled?.known === true && !hasWaited;
  const left = elapsed < interval - Math.min(tolerance, interval / 2) ? interval - elapsed : undefined;
  if (left !== undefined || isAwaited) return { record: seen, nextTurn: left ?? interval / 2 };
  const { state: next, act, sentence, verdict } = advanceOf(state, { now: at, isRouted, numbers }, settings);
  const fault = act.do === 'takeBack' ? act.because : undefined;
  const shown = fault === undefined || isRouted ? sentence : explained(sentence, situation, hindrance);
  const variants = variantsAfter(seen, situation, numbers ? polled : undefined);
  return { record: { ...seen, state: next, sentence: shown, fault, variants }, verdict, nextTurn: interval };
}

/** The metrics since the last step, of requests that were split as desired; undefined while they are not. */
function intervalNumbers(polled: PolledMetrics, record: TrialRecord): IntervalNumbers | undefined {
  if (record.splitSince === undefined) return undefined;
  return intervalNumbersSince(countsSince(record), polled, record.state.stage === 'bake');
}

/** Start of the time whose requests a step may count, in milliseconds since 1970. */
function countsSince({ state, splitSince = 0 }: TrialRecord): number {
  return Math.max(state.countedUntil, splitSince);
}

/** True if the proxies split the requests as desired, according to the API server. */
function isSplit(situation: Situation, weight: number): boolean {
  const { traffic } = situation;
  return traffic.isSeen && traffic.weight === weight && bearableWeight(situation, weight) === weight;
}

/** True if only this version serves. */
function isAlone(situation: Situation): boolean {
  const { traffic, isStable } = situation;
  return isStable && isRolledOut(situation) && traffic.isSeen && traffic.weight === 0;
}

/** If Pods of the version on trial were not ready at the end, the sentence adds their state. */
function explained(sentence: string, { trial }: Situation, hindrance: string): string {
  return !trial || isUp(trial) ? sentence : `${sentence}; its Pods: ${readinessOf(trial, hindrance)}`;
}

/** Requests that variants have sent to the version, including those since the last step. */
function variantsAfter(record: TrialRecord, { name, resource }: Situation, polled: PolledMetrics) {
  const { state, variants } = record;
  const named = variantsOf(name, resource.spec).map((variant) => variant.name);
  if (named.length === 0 || state.stage !== 'steps') return variants;
  const sums = named.map((one) => {
    const more = increaseSince(polled, variantSide(one), countsSince(record))?.sample.requests;
    return [one, sumOf(variants?.[one] ?? { total: 0, failed: 0 }, more)] as const;
  });
  return Object.fromEntries(sums);
}

function withUnweightedSince(record: TrialRecord, { situation: { traffic }, now }: Check): TrialRecord {
  const isUnweighted = traffic.weight === 0 && (traffic.isSeen || !traffic.hasRoute);
  if (isUnweighted === (record.unweightedSince !== undefined)) return record;
  return { ...record, unweightedSince: isUnweighted ? now().getTime() : undefined };
}

function withCapacity(record: TrialRecord, { situation, now }: Check): TrialRecord {
  const capacity = capacityAfter(record, situation, () => now().getTime());
  return record.capacity === capacity ? record : { ...record, capacity };
}

function withGivenWeight(record: TrialRecord, { situation: { traffic, trial } }: Check): TrialRecord {
  const isGiven = traffic.weight > 0 && isOf(trial, record.revision);
  return isGiven && record.given !== traffic.weight ? { ...record, given: traffic.weight } : record;
}
