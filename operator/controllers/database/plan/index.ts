import type { Instance } from '../instances/instances.js';
import { diverged } from './divergence.js';
import { stranded } from './lost-volume.js';
import { missing, surplus } from './provision.js';
import { mayGo, mayStop, recalled, timelineIn } from './scale-down.js';
import { claimantsIn, membersIn, type Situation } from './situation.js';
import type { Step } from './step.js';
import { drained, split } from './switchover.js';
import { outdated, repair } from './update.js';

export { lastPositionOf, placeOf } from './redundancy.js';
export {
  isOutdated,
  isServing,
  isWell,
  leaderIn,
  markOf,
  membersIn,
  type Situation,
  stayingIn,
  streamsFrom,
} from './situation.js';
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
 * Order of priority: urgent steps, steps without cost, steps that restore redundancy, and last those that reduce it.
 */
const order = [drained, repair, missing, surplus, diverged, stranded, outdated];

/**
 * Plans the next step. It creates, replaces or removes at most one instance, and never one that reports that it is the
 * primary, unless it is the only instance. Unknown facts never remove an instance.
 *
 * @param name names an instance by its serial
 */
export function planOf(seen: Situation, name: (serial: number) => string): Plan {
  const situation = recalled(seen);
  const steps = stepsOf(situation);
  const step = steps.find(({ act }) => act !== 'wait');
  const fresh = step?.act === 'add' ? [name(nextSerial(situation))] : [];
  const claims = situation.instances.flatMap((instance) => claimOf(instance, step, situation));
  const pods = membersIn(situation).filter((instance) => runs(instance, step, situation));
  return {
    pods: [...pods.map((instance) => instance.name), ...fresh],
    claims: [...claims, ...fresh.map((made) => ({ name: made, isQuarantined: false }))],
    from: step?.act === 'switchover' ? step.instance.name : undefined,
    steps,
  };
}

function stepsOf(situation: Situation): readonly Step[] {
  const stop = split(claimantsIn(situation));
  if (stop) return [stop];
  const steps = order.flatMap((next) => next(situation) ?? []);
  const act = steps.find((step) => step.act !== 'wait');
  return steps.filter((step) => step === act || (step.act === 'wait' && step.concern !== act?.concern));
}

/** A serial is not reused while an object has it. */
function nextSerial({ instances }: Situation): number {
  return 1 + Math.max(0, ...instances.map(({ serial }) => serial));
}

function isMeant(instance: Instance, step: Step | undefined, ...acts: readonly Step['act'][]): boolean {
  return step !== undefined && 'instance' in step && acts.includes(step.act) && step.instance.name === instance.name;
}

function runs(instance: Instance, step: Step | undefined, situation: Situation): boolean {
  if (isMeant(instance, step, 'replace', 'leave', 'quarantine')) return false;
  if (instance.leavingAt !== undefined) return instance.pod === 'there' && !mayStop(instance, situation);
  // A terminating Pod must be gone first, and no Pod is created on a terminating volume.
  return instance.pod === 'there' || (instance.pod === 'none' && instance.claim === 'there');
}

function claimOf(instance: Instance, step: Step | undefined, situation: Situation): readonly ClaimPlan[] {
  const { name, pod, claim, leavingAt, isQuarantined } = instance;
  // A PVC that a Pod uses but that is not observed has lost its labels. Rendering it restores them.
  const isThere = claim === 'there' || (claim === 'none' && pod === 'there');
  if (!isThere || mayGo(instance, situation)) return [];
  if (isMeant(instance, step, 'leave')) return [{ name, leavingAt: timelineIn(situation), isQuarantined }];
  return [{ name, leavingAt, isQuarantined: isQuarantined || isMeant(instance, step, 'quarantine') }];
}
