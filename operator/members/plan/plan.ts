import type { Member } from '../member/member.js';
import type { AnyStep } from './step.js';

/** A rule of a plan: reads a situation and returns one step, or undefined if it has nothing to do. */
export type PlanRule<Situation, Step> = (situation: Situation) => Step | undefined;

/**
 * The steps of a reconcile: the first rule that acts wins, and the rules that wait report why. A rule that halts leaves
 * no other step.
 *
 * Guarantee: at most one step is not a wait.
 * @param rules in order of safety: urgent steps, steps without cost, steps that restore redundancy, and last the steps
 *   that reduce it
 */
export function stepsOf<Situation, Step extends AnyStep>(
  rules: readonly PlanRule<Situation, Step>[],
  situation: Situation,
): readonly Step[] {
  const steps: Step[] = [];
  for (const rule of rules) {
    const step = rule(situation);
    if (step && isHalt(step)) return [step];
    if (step) steps.push(step);
  }
  const act = actingStep(steps);
  return steps.filter((step) => step === act || (step.act === 'wait' && step.concern !== act?.concern));
}

function isHalt(step: AnyStep): boolean {
  return 'halts' in step && step.halts === true;
}

/** The step that is not a wait. */
export function actingStep<Step extends AnyStep>(steps: readonly Step[]): Step | undefined {
  return steps.find(({ act }) => act !== 'wait');
}

/** The first step with one of these concerns. */
export function stepOf<Step extends AnyStep>(
  { steps }: { readonly steps: readonly Step[] },
  ...concerns: readonly Step['concern'][]
): Step | undefined {
  return steps.find(({ concern }) => concerns.includes(concern));
}

/** Members that run or start: all except retired ones, and those of which nothing is left. */
export function activeMembers<M extends Member>(
  members: readonly M[],
  isRetired: (member: M) => boolean,
): readonly M[] {
  return members.filter((member) => !isRetired(member) && (member.pod !== 'none' || member.claim === 'there'));
}

/** The name of the member that a step changes. A kind can name the subject of its steps otherwise. */
export interface Change {
  readonly act: string;
  readonly member: Pick<Member, 'name'> | undefined;
}

/** True if a step changes this member by one of these acts. */
export function isMeant({ name }: Pick<Member, 'name'>, change: Change | undefined, ...acts: readonly string[]) {
  return change?.member?.name === name && acts.includes(change.act);
}

/** How a kind decides which Pods and PVCs it renders. */
export interface Rendering<M extends Member> {
  /** The step that is taken. */
  readonly change: Change | undefined;
  /** Acts that delete the Pod of their member. */
  readonly stops: readonly string[];
  /** True for a member whose PVC is kept and on which nothing runs. */
  readonly isRetired: (member: M) => boolean;
  /** True for a member without a Pod that gets none. @default - each member gets one */
  readonly staysStopped?: (member: M) => boolean;
  /** True for a member whose PVC can be deleted. The proof is the kind's. @default - no PVC is deleted */
  readonly isReleased?: (member: M) => boolean;
}

/**
 * The members that have a Pod and the members that have a PVC after this reconcile. A member that no step changes keeps
 * both, whatever is unknown about it.
 */
export function keptMembers<M extends Member>(members: readonly M[], rendering: Rendering<M>) {
  const { change, stops, isRetired, staysStopped, isReleased } = rendering;
  const runs = (member: M) =>
    canRun(member) && !isRetired(member) && !isMeant(member, change, ...stops) && !staysStopped?.(member);
  return {
    pods: members.filter(runs),
    claims: members.filter((member) => hasClaim(member) && !isReleased?.(member)),
  };
}

/** A terminating Pod must be gone first, and no Pod is created on a terminating volume. */
function canRun({ pod, claim }: Member): boolean {
  return pod === 'there' || (pod === 'none' && claim === 'there');
}

/** A PVC that a Pod uses but that is not observed has lost its labels. Rendering it restores them. */
function hasClaim({ pod, claim }: Member): boolean {
  return claim === 'there' || (claim === 'none' && pod === 'there');
}
