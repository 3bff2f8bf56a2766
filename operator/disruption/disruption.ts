/** What is known of a member: `up` if it serves and has all data, `unknown` unless that or the opposite is proved. */
export type MemberState = 'up' | 'down' | 'unknown';

/** One member of a replicated group, such as a replica, a voter or an instance. */
export interface Member {
  readonly name: string;
  readonly state: MemberState;
}

/** Members that keep one thing available together, such as the replicas of a partition. */
export interface ReplicatedGroup {
  readonly members: readonly Member[];
  /** How many of them must be up. */
  readonly needed: number;
}

/**
 * What happens if a member is taken down.
 * - `Safe`: in each of its groups, enough others are up, or it is down already.
 * - `Unavoidable`: a group has too few members to spare any, and all of them are up. To wait does not help.
 * - `Excessive`: too few others are up now.
 * - `Unknown`: the state of a member is not known.
 */
export type Disruption = 'Safe' | 'Unavoidable' | 'Excessive' | 'Unknown';

/** The worst comes last. */
const severity: readonly Disruption[] = ['Safe', 'Unavoidable', 'Excessive', 'Unknown'];

/**
 * What happens if a member is taken down, judged by the worst of its groups.
 *
 * Guarantee: the answer is `Safe` only if every state is known, and if each group has as many members up without this one
 * as it needs, or as many as with it.
 * @param groups those of the member, and others. Undefined if they are not known
 */
export function disruptionOf(name: string, groups: readonly ReplicatedGroup[] | undefined): Disruption {
  if (!groups) return 'Unknown';
  if (groups.some(({ members }) => members.some(({ state }) => state === 'unknown'))) return 'Unknown';
  return groups.map((group) => disruptionIn(name, group)).reduce(worse, 'Safe');
}

function disruptionIn(name: string, { members, needed }: ReplicatedGroup): Disruption {
  const member = members.find((one) => one.name === name);
  if (!member) return 'Safe';
  const others = members.filter((one) => one !== member);
  const left = others.filter(({ state }) => state === 'up').length;
  if (member.state === 'down' || left >= needed) return 'Safe';
  return left === others.length ? 'Unavoidable' : 'Excessive';
}

function worse(one: Disruption, other: Disruption): Disruption {
  return severity.indexOf(other) > severity.indexOf(one) ? other : one;
}
