import { actingStep, type Change, isMeant, keptMembers, stepsOf } from '../../../members/index.js';
import type { Instance } from '../instances/instances.js';
import { isRetired, type Situation } from '../situation.js';
import { diverged } from './divergence.js';
import { stranded } from './lost-volume.js';
import { missing, surplus } from './provision.js';
import { mayDeleteClaim, mayStop, recalled, timelineIn } from './scale-down.js';
import type { Step } from './step.js';
import { drained, split } from './switchover.js';
import { outdated, repair } from './update.js';

export { lastPositionOf, placeOf } from './redundancy.js';
export type { Concern, Step } from './step.js';

/** A PVC to render. */
export interface ClaimPlan {
  readonly name: string;
  /** The timeline at which its instance was scaled down. Undefined if the instance stays. */
  readonly leavingAt?: string | undefined;
  readonly isQuarantined: boolean;
}

/** The Pods and PVCs that a reconcile renders. */
export interface Plan {
  /** Names of the instances that have a Pod. */
  readonly pods: readonly string[];
  readonly claims: readonly ClaimPlan[];
  /** The primary that hands over. */
  readonly from?: string | undefined;
  /** The steps of the reconcile. At most one of them is not a wait. */
  readonly steps: readonly Step[];
}

/**
 * The rules in order of safety: the one that leaves everything to a person, urgent steps, steps without cost, steps that
 * restore redundancy, and last the steps that reduce it.
 */
const rules = [split, drained, repair, missing, surplus, diverged, stranded, outdated];

/**
 * Plans the next step. It creates, replaces or removes at most one instance, and never one that reports that it is the
 * primary, unless it is the only instance. Unknown facts never remove an instance.
 *
 * @param name names an instance by its serial
 */
export function planOf(seen: Situation, name: (serial: number) => string): Plan {
  const situation = recalled(seen);
  const { instances } = situation;
  const steps = stepsOf(rules, situation);
  const step = actingStep(steps);
  const change = changeOf(step);
  const fresh = step?.act === 'add' ? [name(nextSerial(situation))] : [];
  const kept = keptMembers(instances, {
    ...{ change, stops: ['replace', 'leave', 'quarantine'], isRetired },
    staysStopped: (instance) => isLeaving(instance) && (instance.pod !== 'there' || mayStop(instance, situation)),
    isReleased: (instance) => mayDeleteClaim(instance, situation),
  });
  return {
    pods: [...kept.pods.map((instance) => instance.name), ...fresh],
    claims: [
      ...kept.claims.map((instance) => claimOf(instance, change, situation)),
      ...fresh.map((added) => ({ name: added, isQuarantined: false })),
    ],
    from: step?.act === 'switchover' ? step.instance.name : undefined,
    steps,
  };
}

function changeOf(step: Step | undefined): Change | undefined {
  return step && 'instance' in step ? { act: step.act, member: step.instance } : undefined;
}

/** A serial is not reused while an object has it. */
function nextSerial({ instances }: Situation): number {
  return 1 + Math.max(0, ...instances.map(({ serial }) => serial));
}

function isLeaving({ leavingAt }: Instance): boolean {
  return leavingAt !== undefined;
}

function claimOf(instance: Instance, change: Change | undefined, situation: Situation): ClaimPlan {
  const { name, leavingAt, isQuarantined } = instance;
  if (isMeant(instance, change, 'leave')) return { name, leavingAt: timelineIn(situation), isQuarantined };
  return { name, leavingAt, isQuarantined: isQuarantined || isMeant(instance, change, 'quarantine') };
}
