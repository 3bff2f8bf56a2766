import { type HookName, isRunning, type RecordedRestart } from './restart.js';

/** The action of a hook in the spec: exactly one of them. */
export interface HookAction<Job = object> {
  readonly http?: HttpAction | undefined;
  /** The Job of the kind. */
  readonly job?: Job | undefined;
}

/** A request to a server of a user. */
export interface HttpAction {
  readonly url: string;
  readonly caBundle?: string | undefined;
  readonly secretRef?: { readonly name: string } | undefined;
}

/** `spec.hooks` of a kind. */
export interface HooksSpec<Job = object> {
  readonly preRestart?: HookAction<Job> | undefined;
  readonly postRestart?: HookAction<Job> | undefined;
  /** Time that each hook has, such as `10m`. */
  readonly deadline?: string | undefined;
}

/** A resource whose members have hooks. */
export interface HookedResource<Job = object> {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly uid: string;
    readonly deletionTimestamp?: string | undefined;
  };
  readonly spec: { readonly hooks?: HooksSpec<Job> | undefined };
}

/** A resource, and the restart that its status records. */
export interface ResourceRestart<Job = object, Restart extends RecordedRestart = RecordedRestart> {
  readonly resource: HookedResource<Job>;
  readonly restart: Restart | undefined;
}

/** A hook that the status records, and its action in the spec. */
export interface RecordedHook<Job = object, Restart extends RecordedRestart = RecordedRestart> extends HookAction<Job> {
  readonly hook: HookName;
  /** Identifies the hook of this restart. */
  readonly id: string;
  readonly restart: Restart;
  /** It runs, or has failed while its time is not over. */
  readonly isRunning: boolean;
}

/** The hooks of the recorded restart that have begun. */
export function recordedHooks<Job, Restart extends RecordedRestart>({
  resource: { metadata, spec },
  restart,
}: ResourceRestart<Job, Restart>): readonly RecordedHook<Job, Restart>[] {
  if (!restart) return [];
  return (['preRestart', 'postRestart'] as const).flatMap((hook) => {
    const action = spec.hooks?.[hook];
    const state = restart[hook];
    if (!action || state === undefined || state === 'Pending') return [];
    // The time tells two restarts to the same state apart.
    const id = [metadata.uid, restart.member, restart.target, hook, restart.startedTime ?? ''].join('/');
    return [{ hook, id, http: action.http, job: action.job, restart, isRunning: isRunning(state) }];
  });
}

/** The hook that runs now. A member that was replaced before `preRestart` ended has it as running for ever. */
export function runningHook<Job, Restart extends RecordedRestart>(
  recorded: ResourceRestart<Job, Restart>,
): RecordedHook<Job, Restart> | undefined {
  return recordedHooks(recorded).findLast((one) => one.isRunning);
}
