import type { Member } from '../member/member.js';
import { actingStep, activeMembers, keptMembers, type PlanRule, stepsOf } from '../plan/plan.js';
import type { AddStep, CallStep, MemberStep, WaitStep } from '../plan/step.js';

/** A member whose PVC can be retired. */
export interface RetirableMember extends Member {
  /** Why no member runs on its PVCs any more. Undefined for PVCs in use. */
  readonly retired?: string | undefined;
}

/** The facts that the plan of every stateful kind needs. A kind adds what its engine answers. */
export interface MemberSituation<M extends RetirableMember = RetirableMember> {
  /** All members, those with retired PVCs too. */
  readonly members: readonly M[];
  /** Desired number of members. */
  readonly wanted: number;
  /** Hash of the desired Pod template. Undefined while it is not known: then no Pod is created or replaced. */
  readonly revision: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A step of a kind without acts of its own. `Request` is what its engine can be asked to change. */
export type KindStep<M extends Member = Member, Request = never> =
  | WaitStep
  | MemberStep<M>
  | NamingStep
  | CallStep<Request>;

/** A step that creates members. */
export interface NamingStep extends AddStep {
  /** The names of the new members. */
  readonly names: readonly string[];
}

/** The Pods and PVCs to render, by the names of their members, and the steps. */
export interface MemberPlan<Step = KindStep> {
  readonly pods: readonly string[];
  readonly claims: readonly { readonly name: string; readonly retired?: string | undefined }[];
  /** At most one of them is not a wait. */
  readonly steps: readonly Step[];
}

/** Members that run or start: all except retired ones. */
export function activeMembersIn<M extends RetirableMember>({
  members,
}: Pick<MemberSituation<M>, 'members'>): readonly M[] {
  return activeMembers(members, isRetired);
}

function isRetired({ retired }: RetirableMember): boolean {
  return retired !== undefined;
}

/** True if the Pod of a member was created from another template than desired. */
export function hasOtherRevision(
  { pod, revision }: Member,
  { revision: wanted }: Pick<MemberSituation, 'revision'>,
): boolean {
  return pod === 'there' && wanted !== undefined && revision !== wanted;
}

/**
 * Plans the next step, and what it leaves to render. A PVC is never deleted: a member that is given up keeps it, with the
 * label of its cause.
 */
export function planMembers<M extends RetirableMember, Situation extends MemberSituation<M>, Request = never>(
  situation: Situation,
  rules: readonly PlanRule<Situation, KindStep<M, Request>>[],
): MemberPlan<KindStep<M, Request>> {
  const steps = stepsOf(rules, situation);
  const step = actingStep(steps);
  const change = step && 'member' in step ? step : undefined;
  const kept = keptMembers(situation.members, { change, stops: ['replace', 'stop', 'retire'], isRetired });
  const fresh = step && 'names' in step ? step.names : [];
  const isStartable = ({ pod }: M) => pod === 'there' || situation.revision !== undefined;
  return {
    pods: [
      ...kept.pods.filter(isStartable).map(({ name }) => name),
      ...(situation.revision === undefined ? [] : fresh),
    ],
    claims: [
      ...kept.claims.map((member) => ({
        name: member.name,
        retired: step?.act === 'retire' && change?.member.name === member.name ? step.concern : member.retired,
      })),
      ...fresh.map((name) => ({ name })),
    ],
    steps,
  };
}

/** The next names of members: a number is not used again while a member has objects with it, or with a higher one. */
export function nextMemberNames(
  prefix: string,
  count: number,
  used: readonly Pick<Member, 'name'>[],
): readonly string[] {
  const numbers = used.map(
    ({ name }) => Number(name.startsWith(`${prefix}-`) ? name.slice(prefix.length + 1) : 0) || 0,
  );
  const highest = Math.max(0, ...numbers);
  return Array.from({ length: Math.max(0, count) }, (_, index) => `${prefix}-${highest + 1 + index}`);
}
