import { type TrialPlan, type TrialState, weightOf } from '../judgement/index.js';
import type { TrialRecord } from './record.js';
import type { Side, Situation } from './situation.js';

/** Number of Pods for a share of the requests. @param weight in percent @param replicas for all requests */
export function sizeFor(weight: number, replicas: number): number {
  return Math.max(1, Math.ceil((replicas * weight) / 100));
}

/** The last share that a trial gave to its version, in percent. */
export function stepWeight(state: TrialState, plan: TrialPlan): number {
  return weightOf({ stage: 'steps', step: Math.min(state.step, plan.steps.length - 1) }, plan);
}

/**
 * The desired share of a version on trial, in percent: that of its step, and during a pause at most the last share. The
 * version gets that share back when lost Pods are replaced.
 */
export function dueWeight({ state, given = 0 }: TrialRecord, plan: TrialPlan): number {
  const target = weightOf(state, plan);
  return plan.isPaused ? Math.min(given, target) : target;
}

/**
 * The share that a version on trial can take now. It is the target if enough Pods are available, and the current share
 * until then. It is 0 if no Pod is available, or if some Pods run another version.
 */
export function bearableWeight({ wanted, main, trial, traffic, record }: Situation, target: number): number {
  if (trial?.revision !== wanted.name || trial.available === 0) return 0;
  // All Pods ran this version when it first got requests, and a resize does not change the version.
  if (!trial.isPure && !record?.given) return 0;
  return trial.available >= sizeFor(target, main?.replicas ?? 1) ? target : Math.min(traffic.weight, target);
}

/** True if all Pods of a side run a version. */
export function isOf(side: Side | undefined, revision: string): side is Side {
  return side !== undefined && side.revision === revision && side.isPure;
}

/** True if no Pod of a side is missing. */
export function isUp({ available, replicas }: Side): boolean {
  return available >= replicas;
}

/** True if all stable Pods run the version in the spec and are available. */
export function isRolledOut({ main, wanted }: Situation): boolean {
  return isOf(main, wanted.name) && main.isDone;
}
