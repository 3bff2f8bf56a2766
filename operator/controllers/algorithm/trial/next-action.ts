import type { Situation } from './situation.js';

/**
 * The next action for the version in the spec:
 * - `leave`: there is no lifecycle; the objects of trials are deleted.
 * - `untracked`: no gateway can split requests, and no version was stored; the version in the spec serves.
 * - `first`: no version was promoted yet, so it becomes the stable one.
 * - `rest`: it is the stable one.
 * - `pause`, `prepare`: it is a new version, and its trial does not start yet.
 * - `replace`: it becomes the stable one without a trial.
 * - `begin`, `try`: its trial starts, or continues.
 * - `promote`: it was proved good; it becomes, or is, the stable one, and the Pods of the trial are deleted.
 * - `undo`: it was rolled back.
 */
export type TrialPhase =
  | 'leave'
  | 'untracked'
  | 'first'
  | 'rest'
  | 'pause'
  | 'prepare'
  | 'replace'
  | 'begin'
  | 'try'
  | 'promote'
  | 'undo';

/** Derived from the objects and the status only, so that another process comes to the same result. */
export function trialPhaseOf(situation: Situation): TrialPhase {
  const { resource, isStable, versions } = situation;
  if (!resource.spec.lifecycle) return 'leave';
  if (!versions.stable) return isUntracked(situation) ? 'untracked' : 'first';
  return recordedCourse(situation) ?? (isStable ? 'rest' : coming(situation));
}

/**
 * True if there is nothing to try and nothing to roll back to. Versions that were stored once, while there was a gateway,
 * are still needed: one of them may be the version that serves instead of the one in the spec.
 */
function isUntracked({ traffic, versions, record, trial }: Situation): boolean {
  return traffic.unsplit !== undefined && versions.all.length === 0 && !record && !trial;
}

/** The phase of the recorded trial, if that trial is of this version. */
function recordedCourse({ record, wanted, isStable, versions }: Situation): TrialPhase | undefined {
  if (!record || record.revision !== wanted.name) return undefined;
  const { stage } = record.state;
  if (stage === 'bake' || stage === 'promoted') return 'promote';
  if (stage === 'takenBack') return isStable && !versions.before ? undefined : 'undo';
  return isStable ? undefined : 'try';
}

function coming(situation: Situation): TrialPhase {
  const { resource, traffic } = situation;
  if (resource.spec.lifecycle?.paused) return 'pause';
  if (untriedBecause(situation) !== undefined) return 'replace';
  return traffic.isTaken ? 'begin' : 'prepare';
}

/** Why a version gets no trial; undefined if it gets one. */
export function untriedBecause(situation: Situation): string | undefined {
  const { resource, traffic } = situation;
  if (resource.spec.lifecycle?.canaryWeight === 0) return 'canaryWeight is 0';
  if (traffic.unsplit === 'NoGatewayApi') return 'the cluster does not serve the Gateway API';
  if (traffic.unsplit === 'NoGateway') return 'there is no gateway';
  const { main } = situation;
  return main && main.available > 0 ? undefined : 'no Pod of the stable version is available for comparison';
}
