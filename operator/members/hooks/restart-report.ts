import { type ResourceEvent, timestampOf } from '../../runtime/index.js';
import type { Member } from '../member/member.js';
import type { HookProgress } from './hook-progress.js';
import { type ResourceRestart, runningHook } from './recorded-hooks.js';
import { type HookState, hookToRun, type MemberRestarts, type RecordedRestart } from './restart.js';

/** Milliseconds after which the status shows a restart that begins. */
const announcing = 1_000;

/** The restart for the status, the events, and when the deadline of a hook ends. */
export interface RestartReport<Restart extends RecordedRestart = RecordedRestart> {
  /** Undefined if the status records none. */
  readonly restart?: Restart;
  readonly events: readonly ResourceEvent[];
  /** Milliseconds. */
  readonly requeueAfter?: number;
}

/** What a report follows from. */
export interface Reported<Job, Restart extends RecordedRestart, M extends Member>
  extends ResourceRestart<Job, Restart> {
  readonly restarts: MemberRestarts<M>;
  /** How far the running hook got. */
  readonly progress: HookProgress | undefined;
  /** Milliseconds that each hook has, and the same time as the spec has it. */
  readonly deadline: { readonly milliseconds: number; readonly text: string };
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The record of a restart that a step announces. A kind adds what its restart interrupts. */
export function announcedRestart<M extends Member>(
  member: M,
  { hooks, targetOf }: MemberRestarts<M>,
  now: number,
): RecordedRestart {
  return {
    ...{ member: member.name, target: targetOf(member), startedTime: timestampOf(now) },
    ...(hooks?.preRestart && { preRestart: 'Running' as const }),
    ...(hooks?.postRestart && { postRestart: 'Pending' as const }),
  };
}

/** The report of a restart that was just announced. */
export function restartAnnouncement<Restart extends RecordedRestart>(
  restart: Restart,
  events: readonly ResourceEvent[] = [],
): RestartReport<Restart> {
  return { restart, events, requeueAfter: announcing };
}

/** Records how far the hooks of the recorded restart got. */
export function restartReport<Job, Restart extends RecordedRestart, M extends Member>(
  reported: Reported<Job, Restart, M>,
): RestartReport<Restart> {
  const { restart, restarts, progress, deadline, now } = reported;
  if (!restart) return { events: [] };
  const open = hookToRun(restarts);
  if (!open) return isObsolete(restart, restarts) ? { events: [] } : { restart, events: [] };
  const { hook, member } = open;
  if (restart[hook] === 'Pending')
    return restartAnnouncement({ ...restart, [hook]: 'Running', servedTime: timestampOf(now) });
  const became = (state: HookState, ...events: ResourceEvent[]) =>
    restartAnnouncement({ ...restart, [hook]: state }, events);
  const isSeen = runningHook(reported)?.hook === hook;
  if (isSeen && progress?.hasSucceeded) {
    const note = `The hook ${hook} of ${member.name} has succeeded`;
    return became('Succeeded', { type: 'Normal', reason: 'HookSucceeded', note });
  }
  const since = Date.parse((hook === 'preRestart' ? restart.startedTime : restart.servedTime) ?? '');
  const left = since + deadline.milliseconds - now;
  const last = isSeen && progress?.problem !== undefined ? `: ${progress.problem}` : '';
  if (!(left > 0)) {
    const note = `The hook ${hook} of ${member.name} did not succeed within ${deadline.text}, so the rollout continues${last}`;
    return became('Expired', { type: 'Warning', reason: 'HookExpired', note });
  }
  const hasFailed = isSeen && progress?.hasFailed === true;
  if (hasFailed === (restart[hook] === 'Failed')) return { restart, events: [], requeueAfter: left };
  if (!hasFailed) return became('Running');
  const note = `The hook ${hook} of ${member.name} has failed, and the rollout waits until ${deadline.text} have passed${last}`;
  return became('Failed', { type: 'Warning', reason: 'HookFailed', note });
}

/** True if the spec has changed before the restart: a hook of the new one runs again. */
function isObsolete<M extends Member>(
  { member: name, target }: RecordedRestart,
  { members, targetOf }: MemberRestarts<M>,
) {
  const member = members.find((one) => one.name === name);
  return !member || targetOf(member) !== target;
}
