import { type TrialSettings, type TrialState, weightOf } from '../../judgement/index.js';
import type { TrialRecord } from '../resource/record.js';
import type { Situation } from '../situation.js';
import { isOf } from '../view.js';
import { aimOf, canTake, sizeFor } from './capacity.js';

/** Number of Pods for all requests: the size of the stable side, unless an autoscaler sets the size of both sides. */
export function fullSize({ main, record, resource }: Situation): number {
  const { pods } = (resource.spec.scaling && record?.capacity) ?? {};
  return pods ?? main?.replicas ?? 1;
}

/** The last share that a trial gave to its version, in percent. */
export function stepWeight(state: TrialState, settings: TrialSettings): number {
  return weightOf({ stage: 'steps', step: Math.min(state.step, settings.steps.length - 1) }, settings);
}

/**
 * The desired share of a version on trial, in percent: that of its step, and during a pause at most the last share. The
 * version gets that share back when lost Pods are replaced.
 */
export function dueWeight({ state, given = 0 }: TrialRecord, settings: TrialSettings): number {
  const target = weightOf(state, settings);
  return settings.isPaused ? Math.min(given, target) : target;
}

/**
 * The share that a version on trial can take now. It is the target if enough Pods are available on the side whose share
 * rises, and the current share until then. It is 0 if no Pod is available, or if some Pods run another version.
 */
export function bearableWeight(situation: Situation, target: number): number {
  const { wanted, trial, traffic, record, resource } = situation;
  if (trial?.revision !== wanted.name || trial.available === 0) return 0;
  // All Pods ran this version when it first got requests, and a resize does not change the version.
  if (!trial.isPure && !record?.given) return 0;
  if (!isCounted(record, resource) || (target < traffic.weight && !canTake(situation, 100 - target)))
    return traffic.weight;
  return trial.available >= sizeFor(target, fullSize(situation)) ? target : Math.min(traffic.weight, target);
}

/** True if the Pods were counted for the desired share, or are not counted. An edit can change that share at any time. */
function isCounted(record: TrialRecord | undefined, { spec }: Situation['resource']): boolean {
  return !spec.scaling || !record?.capacity || record.capacity.weight === aimOf(record.state, spec);
}

/** True if all stable Pods run the version in the spec and are available, and are enough for all requests. */
export function isRolledOut(situation: Situation): boolean {
  const { main, wanted } = situation;
  return isOf(main, wanted.name) && main.isDone && canTake(situation, 100);
}
