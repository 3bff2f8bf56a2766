import type { Situation } from './situation.js';

/**
 * What is to be done about the version of the spec:
 * - `leave`: there is no lifecycle; what a trial made is taken away.
 * - `first`: nothing was promoted yet, so it is the stable one.
 * - `rest`: it is the stable one.
 * - `pause`, `prepare`: it is another one, and its trial does not begin yet.
 * - `replace`: it becomes the stable one without a trial.
 * - `begin`, `try`: its trial begins, or goes on.
 * - `promote`: it was proved good; it becomes, or is, the stable one, and the trial's pods go.
 * - `undo`: it was taken back.
 */
export type TrialPhase =
  | 'leave'
  | 'first'
  | 'rest'
  | 'pause'
  | 'prepare'
  | 'replace'
  | 'begin'
  | 'try'
  | 'promote'
  | 'undo';

/** Follows from what is there and what the status remembers, so that another process comes to the same. */
export function trialPhaseOf(situation: Situation): TrialPhase {
  const { resource, isStable, versions } = situation;
  if (!resource.spec.lifecycle) return 'leave';
  if (!versions.stable) return 'first';
  return recordedCourse(situation) ?? (isStable ? 'rest' : coming(situation));
}

/** That of the trial that the status tells of, where it is of this version. */
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

/** Why a version is not tried; undefined where it is. */
export function untriedBecause({ resource, traffic, main }: Situation): string | undefined {
  if (resource.spec.lifecycle?.canaryWeight === 0) return 'canaryWeight is 0';
  if (traffic.unsplit === 'NoGatewayApi') return 'the cluster has no Gateway API';
  if (traffic.unsplit === 'NoGateway') return 'there is no gateway';
  return main && main.available > 0 ? undefined : 'no pod of the stable version is available to be compared with';
}
