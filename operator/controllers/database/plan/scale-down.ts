import type { Instance } from '../instances/instances.js';
import { isServing, leaderIn, type Situation } from '../situation.js';
import { isRedundant } from './redundancy.js';

/** The timeline of the primary, as it is recorded when an instance is scaled down. */
export function timelineIn(situation: Situation): string {
  return String(leaderIn(situation)?.report?.timeline ?? 0);
}

/**
 * Cancels scale-downs that a change of the primary has overtaken: an instance that became the primary, or that followed
 * an earlier primary, stays, and the next reconcile selects again.
 */
export function recalled(situation: Situation): Situation {
  const leader = leaderIn(situation);
  if (!leader || !isServing(leader)) return situation;
  const isRecalled = ({ name, leavingAt }: Instance) =>
    leavingAt !== undefined && (name === leader.name || leavingAt !== timelineIn(situation));
  const instances = situation.instances.map((one) => (isRecalled(one) ? { ...one, leavingAt: undefined } : one));
  return { ...situation, instances };
}

/** True while it is certain that the Pod of a scaled-down instance is not needed. */
export function mayStop(instance: Instance, situation: Situation): boolean {
  return instance.leavingAt !== undefined && isRedundant(instance, leaderIn(situation));
}

/** True once the PVC of a scaled-down instance can be deleted: its Pod is gone, and another instance is the primary. */
export function mayDeleteClaim({ name, pod, leavingAt }: Instance, situation: Situation): boolean {
  const leader = leaderIn(situation);
  if (pod !== 'none' || leavingAt === undefined || !leader || !isServing(leader)) return false;
  return name !== leader.name; // a later timeline has cancelled the scale-down of the new primary
}
