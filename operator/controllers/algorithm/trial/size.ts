import { type TrialPlan, type TrialState, weightOf } from '../judgement/index.js';
import type { TrialRecord } from './record.js';
import type { Side, Situation } from './situation.js';

/** Pods that a share of the requests takes, where all of them take so many. @param weight per cent */
export function sizeFor(weight: number, replicas: number): number {
  return Math.max(1, Math.ceil((replicas * weight) / 100));
}

/** The last share that a trial gave to its version, in per cent. */
export function stepWeight(state: TrialState, plan: TrialPlan): number {
  return weightOf({ stage: 'steps', step: Math.min(state.step, plan.steps.length - 1) }, plan);
}

/**
 * The share that a version on trial is to get, in per cent: what its step wants, and during a pause no more than it was
 * given before. That comes back with pods that were lost.
 */
export function dueWeight({ state, given = 0 }: TrialRecord, plan: TrialPlan): number {
  const target = weightOf(state, plan);
  return plan.isPaused ? Math.min(given, target) : target;
}

/**
 * The share that a version on trial can be given now: what its step wants once it has the pods for it, what it has until
 * then, and nothing while none of its pods answers or pods of another version are among them.
 */
export function bearableWeight({ wanted, main, trial, traffic, record }: Situation, target: number): number {
  if (trial?.revision !== wanted.name || trial.available === 0) return 0;
  // Pods that were given requests once were all of this version, and a Deployment that is resized makes no others.
  if (!trial.isPure && !record?.given) return 0;
  return trial.available >= sizeFor(target, main?.replicas ?? 1) ? target : Math.min(traffic.weight, target);
}

/** True of a side all of whose pods are of a version. */
export function isOf(side: Side | undefined, revision: string): side is Side {
  return side !== undefined && side.revision === revision && side.isPure;
}

/** True of a side none of whose pods is missing. */
export function isUp({ available, replicas }: Side): boolean {
  return available >= replicas;
}

/** True once the stable pods are all of the version of the spec, and available. */
export function isRolledOut({ main, wanted }: Situation): boolean {
  return isOf(main, wanted.name) && main.isDone;
}
