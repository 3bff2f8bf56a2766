import type { Member } from '../member/member.js';
import { type WaitStep, waitStep } from '../plan/step.js';

/** The hooks of a restart. */
export type HookName = 'preRestart' | 'postRestart';
/** How far a hook got. `Failed`: it does not try again by itself, and its time is not over. */
export type HookState = 'Pending' | 'Running' | 'Failed' | 'Succeeded' | 'Expired';

/** The restart of a member, as the status records it before it begins. */
export interface RecordedRestart {
  /** The name of the member. */
  readonly member: string;
  /** Identifies the state of the Pod that the restart brings. */
  readonly target: string;
  /** When the restart was recorded, in RFC 3339. */
  readonly startedTime?: string | undefined;
  /** When the member served again, in RFC 3339. */
  readonly servedTime?: string | undefined;
  readonly preRestart?: HookState | undefined;
  readonly postRestart?: HookState | undefined;
}

/** The facts from which the hooks of a kind follow. */
export interface MemberRestarts<M extends Member> {
  /** The hooks that the spec has. Undefined without any. */
  readonly hooks: Readonly<Record<HookName, boolean>> | undefined;
  /** The last restart that the status records. */
  readonly recorded: RecordedRestart | undefined;
  readonly members: readonly M[];
  /** True if the Pod of a member is to be replaced. */
  readonly isOutdated: (member: M) => boolean;
  /** Identifies the desired state of the Pod of a member. */
  readonly targetOf: (member: M) => string;
  /** True if the Pod of a member has the state that a target identifies. */
  readonly hasState: (member: M, target: string) => boolean;
  /** True if it is proved that a member serves. */
  readonly serves: (member: M) => boolean;
}

/** A hook in the status: its name and the member. */
export interface HookToRun<M extends Member> {
  readonly hook: HookName;
  readonly member: M;
}

/** A wait for the status to record the restart of a member. */
export interface AnnouncingStep<M extends Member> extends WaitStep<'update'> {
  readonly announces: M;
}

/** The hook that has to run now. Its end is in the status. */
export function hookToRun<M extends Member>(restarts: MemberRestarts<M>): HookToRun<M> | undefined {
  const { recorded, hooks, members } = restarts;
  const member = members.find(({ name, pod }) => name === recorded?.member && pod === 'there');
  if (!recorded || !hooks || !member) return undefined;
  const isDue = isAbout(member, restarts) && restarts.isOutdated(member);
  if (hooks.preRestart && isRunning(recorded.preRestart) && isDue) return { hook: 'preRestart', member };
  if (!hooks.postRestart || !restarts.hasState(member, recorded.target)) return undefined;
  if (isRunning(recorded.postRestart)) return { hook: 'postRestart', member };
  return recorded.postRestart === 'Pending' && restarts.serves(member) ? { hook: 'postRestart', member } : undefined;
}

/** True for a hook that runs, or that has failed while its time is not over. */
export function isRunning(state: HookState | undefined): boolean {
  return state === 'Running' || state === 'Failed';
}

/** True if the record of the status is about the restart that is due, or about the restart that brought this state. */
export function isAbout<M extends Member>(member: M, restarts: MemberRestarts<M>): boolean {
  const { recorded } = restarts;
  if (recorded?.member !== member.name) return false;
  const isDone = !restarts.isOutdated(member) && restarts.hasState(member, recorded.target);
  return recorded.target === restarts.targetOf(member) || isDone;
}

/**
 * Holds the restart of a member until the status has it, and until its hook `preRestart` has ended. Undefined if the
 * restart may begin.
 * @param interruption what the restart interrupts, as the end of a sentence
 */
export function preRestartHold<M extends Member>(
  member: M,
  restarts: MemberRestarts<M>,
  interruption = '',
): AnnouncingStep<M> | WaitStep<'update'> | undefined {
  if (!restarts.recorded || !isAbout(member, restarts)) {
    const why = `${member.name} is restarted next${interruption}`;
    return { act: 'wait', concern: 'update', why, announces: member };
  }
  if (hookToRun(restarts)?.hook !== 'preRestart') return undefined;
  return waitStep(
    'update',
    `${member.name} is restarted when the hook preRestart has succeeded, or after hooks.deadline`,
  );
}

/**
 * Waits for the hook `postRestart` of a member that serves again, before another one is replaced.
 * @param noun what the kind calls a member, such as `node`
 */
export function postRestartHold<M extends Member>(
  restarts: MemberRestarts<M>,
  noun: string,
): WaitStep<'update'> | undefined {
  const open = hookToRun(restarts);
  if (open?.hook !== 'postRestart') return undefined;
  return waitStep('update', `no ${noun} is replaced before the hook postRestart of ${open.member.name} has ended`);
}

/** The member whose restart the steps announce. */
export function announcedMember<M extends Member>(steps: readonly object[]): M | undefined {
  const announcing = steps.find((step): step is AnnouncingStep<M> => 'announces' in step);
  return announcing?.announces;
}
