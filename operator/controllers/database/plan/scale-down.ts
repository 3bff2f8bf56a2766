import type { Instance } from '../instances/instances.js';
import { isRedundant } from './redundancy.js';
import { isServing, leaderIn, type Situation } from './situation.js';

/** The timeline that the primary is on, as it is written down when an instance is scaled away. */
export function timelineIn(situation: Situation): string {
  return String(leaderIn(situation)?.report?.timeline ?? 0);
}

/**
 * The situation as it is after what changed meanwhile: whoever was to go and leads by now, or followed a primary that does
 * not lead any more, is one of the instances again, and it is decided anew who goes.
 */
export function recalled(situation: Situation): Situation {
  const leader = leaderIn(situation);
  if (!leader || !isServing(leader)) return situation;
  const isRecalled = ({ name, leavingAt }: Instance) =>
    leavingAt !== undefined && (name === leader.name || leavingAt !== timelineIn(situation));
  const instances = situation.instances.map((one) => (isRecalled(one) ? { ...one, leavingAt: undefined } : one));
  return { ...situation, instances };
}

/** True while it is certain that the Pod of an instance that is scaled away is not needed. */
export function mayStop(instance: Instance, situation: Situation): boolean {
  return instance.leavingAt !== undefined && isRedundant(instance, leaderIn(situation));
}

/** True once the claim of an instance that is scaled away may go: its Pod is gone, and somebody serves. */
export function mayGo({ name, pod, leavingAt }: Instance, situation: Situation): boolean {
  const leader = leaderIn(situation);
  if (pod !== 'none' || leavingAt === undefined || !leader || !isServing(leader)) return false;
  return name !== leader.name; // who leads since another timeline has recalled it
}
