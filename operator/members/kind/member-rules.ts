import { retireLost } from '../plan/lost-volume.js';
import { repair } from '../plan/repair.js';
import { rollingGroup, rollout } from '../plan/rollout.js';
import { type MemberStep, type WaitStep, waitStep } from '../plan/step.js';
import {
  activeMembersIn,
  hasOtherRevision,
  type MemberSituation,
  type NamingStep,
  nextMemberNames,
  type RetirableMember,
} from './member-plan.js';

/** What a kind knows of its members. */
export interface MemberKnowledge<M extends RetirableMember, Situation extends MemberSituation<M>> {
  /** What the kind calls a member, such as `node`. @default 'member' */
  readonly noun?: string;
  /** True if it is proved that a member serves and has all data. */
  readonly isHealthy: (member: M, situation: Situation) => boolean;
  /** True for a member that the engine no longer has, so that it cannot run. @default - the engine has all */
  readonly isExpelled?: (member: M, situation: Situation) => boolean;
  /** True for the member that is replaced last, such as a leader. @default - none is special */
  readonly isLast?: (member: M, situation: Situation) => boolean;
}

/** A situation in which members of deleted nodes are replaced. */
export interface ReplacingSituation<M extends RetirableMember> extends MemberSituation<M> {
  /** Milliseconds after which a member is given up whose node was deleted. */
  readonly replaceAfter: number;
}

type Taken<M extends RetirableMember> = MemberStep<M> | WaitStep | undefined;

/** The rules that every stateful kind has, for its list of rules in order of safety. */
export function memberRules<M extends RetirableMember, Situation extends ReplacingSituation<M>>(
  known: MemberKnowledge<M, Situation>,
) {
  const { noun = 'member', isHealthy, isExpelled = () => false, isLast = () => false } = known;
  const isLost = ({ isNodeGone, isReady }: M) => isNodeGone === true && !isReady;
  const illIn = (situation: Situation, members = activeMembersIn(situation)) =>
    members.find((one) => !isHealthy(one, situation));
  return {
    /** Replaces an outdated member that does not run. */
    repair: (situation: Situation): Taken<M> =>
      repair(activeMembersIn(situation), {
        isOutdated: (one) => hasOtherRevision(one, situation),
        isDown: ({ isReady, isNodeLost, trouble }) => !isReady && !isNodeLost && trouble !== undefined,
      }),
    /** Retires a member whose volume was on a deleted node, while all members serve that are not lost as well. */
    lost: (situation: Situation): Taken<M> => {
      const member = activeMembersIn(situation).find(isLost);
      if (!member) return undefined;
      const others = activeMembersIn(situation).filter((one) => !isLost(one));
      const ill = illIn(situation, others);
      return retireLost({
        ...{ member, concern: 'lost', now: situation.now, patience: situation.replaceAfter },
        found: `The volume of ${member.name} is on node ${member.home}, which no longer exists`,
        obstacle:
          others.length === 0
            ? `, and no other ${noun} has its data; bring the node back, or restore from a backup`
            : ill && `; the replacement waits until ${ill.name} is healthy`,
        prospect: 'it is replaced unless the node returns within spec.replaceAfter',
      });
    },
    /** Retires a member that was removed from the engine. Its number is not used again. */
    expelled: (situation: Situation): Taken<M> => {
      const member = activeMembersIn(situation).find((one) => isExpelled(one, situation));
      const why = `${member?.name} was removed; its volume is kept, and a replacement is created`;
      return member && { act: 'retire', concern: 'expelled', member, why };
    },
    /** Replaces one outdated member at a time, while all others exist and serve. */
    rollout: (situation: Situation): Taken<M> => {
      const members = activeMembersIn(situation);
      const old = members.filter((one) => hasOtherRevision(one, situation));
      if (old.length > 0 && members.length < situation.wanted)
        return waitStep('update', `no ${noun} is replaced until all ${situation.wanted} exist`);
      const outdated = old.toSorted((a, b) => Number(isLast(a, situation)) - Number(isLast(b, situation)));
      const stateOf = (one: M) => (isHealthy(one, situation) ? 'up' : one.pod === 'there' ? 'unknown' : 'down');
      return rollout({ outdated, groups: [rollingGroup(members, stateOf)], ill: illIn(situation), noun });
    },
  };
}

/**
 * Creates the first members of a cluster. Before the first Pod exists, they get the lowest names without objects, because
 * nothing can have run under them. Afterwards a name is not used again.
 */
export function createFirstMembers<M extends RetirableMember>(
  prefix: string,
  situation: MemberSituation<M>,
): NamingStep | undefined {
  const { members, wanted } = situation;
  if (members.some(({ pod }) => pod !== 'none')) return createMissingMembers(prefix, situation);
  const missing = Math.max(0, wanted - activeMembersIn(situation).length);
  const lowest = nextMemberNames(prefix, missing + members.length, []);
  return createMembers(lowest.filter((name) => members.every((one) => one.name !== name)).slice(0, missing));
}

/** Creates as many members as are missing, with names that nothing had before. @param used members that the engine has */
export function createMissingMembers<M extends RetirableMember>(
  prefix: string,
  situation: MemberSituation<M>,
  used: readonly Pick<M, 'name'>[] = [],
): NamingStep | undefined {
  const missing = situation.wanted - activeMembersIn(situation).length;
  return createMembers(nextMemberNames(prefix, missing, [...situation.members, ...used]));
}

/** Creates members by their names. Undefined without any. */
export function createMembers(names: readonly string[] = []): NamingStep | undefined {
  if (names.length === 0) return undefined;
  return { act: 'add', concern: 'provision', names, why: `Creating ${names.join(', ')}` };
}
