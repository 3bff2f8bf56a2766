import { type Situation, untriedBecause } from '../situation.js';

/**
 * The next step of the version in the spec:
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
export type Step =
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

/** Order of priority. */
const rules = [lifecycleRemoval, firstVersion, recordedTrial, stableVersion];

/**
 * The next step: the first that a rule returns. Derived from the objects and the status only, so that another process
 * comes to the same result.
 */
export function stepOf(situation: Situation): Step {
  for (const rule of rules) {
    const step = rule(situation);
    if (step) return step;
  }
  return newVersion(situation);
}

function lifecycleRemoval({ resource }: Situation): Step | undefined {
  return resource.spec.lifecycle ? undefined : 'leave';
}

function firstVersion(situation: Situation): Step | undefined {
  if (situation.versions.stable) return undefined;
  return isUntracked(situation) ? 'untracked' : 'first';
}

/**
 * True if there is nothing to try and nothing to roll back to. Versions that were stored once, while there was a gateway,
 * are still needed: one of them may be the version that serves instead of the one in the spec.
 */
function isUntracked({ traffic, versions, record, trial }: Situation): boolean {
  return traffic.unsplit !== undefined && versions.all.length === 0 && !record && !trial;
}

/** Only if the recorded trial is of this version. */
function recordedTrial({ record, wanted, isStable, versions }: Situation): Step | undefined {
  if (!record || record.revision !== wanted.name) return undefined;
  const { stage } = record.state;
  if (stage === 'bake' || stage === 'promoted') return 'promote';
  if (stage === 'takenBack') return isStable && !versions.before ? undefined : 'undo';
  return isStable ? undefined : 'try';
}

function stableVersion({ isStable }: Situation): Step | undefined {
  return isStable ? 'rest' : undefined;
}

function newVersion(situation: Situation): Step {
  const { resource, traffic } = situation;
  if (resource.spec.lifecycle?.paused) return 'pause';
  if (untriedBecause(situation) !== undefined) return 'replace';
  return traffic.isTaken ? 'begin' : 'prepare';
}
