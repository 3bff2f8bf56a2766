import { type Disruption, disruptionOf, type MemberState, type ReplicatedGroup } from '../../disruption/disruption.js';
import { because, type Member } from '../member/member.js';
import { type MemberStep, type WaitStep, waitStep } from './step.js';

/**
 * All members, of which one at a time may be down.
 * @param stateOf `unknown` unless it is proved that a member serves, or that it does not
 * @param needed how many must be up. @default - all but one
 */
export function rollingGroup<M extends Member>(
  members: readonly M[],
  stateOf: (member: M) => MemberState,
  needed: number = members.length - 1,
): ReplicatedGroup {
  return { members: members.map((one) => ({ name: one.name, state: stateOf(one) })), needed };
}

/** How a kind replaces its outdated members. */
export interface RolloutProps<M extends Member> {
  /** The outdated members, the next one first. */
  readonly outdated: readonly M[];
  /** Groups of members that keep something available together. Undefined while they are not known. */
  readonly groups: readonly ReplicatedGroup[] | undefined;
  /** A member that does not serve, for the message. */
  readonly ill: M | undefined;
  /** What the kind calls a member, such as `node`. */
  readonly noun: string;
}

/** Replaces the first outdated member while all others serve. Unknown states never stop a member. */
export function rollout<M extends Member>({
  outdated: [next],
  groups,
  ill,
  noun,
}: RolloutProps<M>): MemberStep<M, 'update'> | WaitStep<'update'> | undefined {
  if (!next) return undefined;
  if (!isAllowed(disruptionOf(next.name, groups))) return waitStep('update', holdUp(noun, ill));
  return { act: 'replace', concern: 'update', member: next, why: `${next.name} is being replaced` };
}

/** True if a member can be taken down. To wait does not help a group that has no member to spare. */
export function isAllowed(disruption: Disruption): boolean {
  return disruption === 'Safe' || disruption === 'Unavoidable';
}

/** Why no member is replaced. */
function holdUp(noun: string, ill: Member | undefined): string {
  if (!ill) return `no ${noun} is replaced until all members report that they are healthy`;
  return `no ${noun} is replaced until ${ill.name} is healthy${because(ill)}`;
}
