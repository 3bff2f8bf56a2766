import type { KafkaClusterResource } from '../../../../../imports/index.js';
import type { KafkaHookJobSpec } from '../../../../../src/index.js';
import { isRunning, type RecordedRestart } from '../plan/index.js';

export type HookedResource = Pick<KafkaClusterResource, 'metadata' | 'spec' | 'status'>;
/** The hooks of a restart. */
export type HookName = 'preRestart' | 'postRestart';
type HookSpec = NonNullable<NonNullable<KafkaClusterResource['spec']['hooks']>[HookName]>;

/** A hook that the status records, and its action in the spec. */
export interface RecordedHook {
  readonly hook: HookName;
  /** Identifies the hook of this restart. */
  readonly id: string;
  readonly http: HookSpec['http'];
  readonly job: KafkaHookJobSpec | undefined;
  readonly restart: RecordedRestart;
  /** It runs, or has failed while its time is not over. */
  readonly isRunning: boolean;
}

/** The hooks of the recorded restart that have begun. */
export function recordedHooks({ metadata, spec, status }: HookedResource): readonly RecordedHook[] {
  const { restart } = status ?? {};
  if (!restart) return [];
  return (['preRestart', 'postRestart'] as const).flatMap((hook) => {
    const action = spec.hooks?.[hook];
    const state = restart[hook];
    if (!action || state === undefined || state === 'Pending') return [];
    // The time tells two restarts to the same state apart.
    const id = [metadata.uid, restart.node, restart.target, hook, restart.startedTime ?? ''].join('/');
    return [{ hook, id, http: action.http, job: action.job, restart, isRunning: isRunning(state) }];
  });
}

/** The hook that runs now. A broker that was replaced before `preRestart` ended has it as running for ever. */
export function runningHook(resource: HookedResource): RecordedHook | undefined {
  return recordedHooks(resource).findLast((one) => one.isRunning);
}
