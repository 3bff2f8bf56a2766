import { secondsOf } from '../../../../../crds/index.js';
import { type ResourceEvent, timestampOf } from '../../../../runtime/index.js';
import type { KafkaNode } from '../nodes/nodes.js';
import { openHook, type RecordedRestart, type Situation, type Step, targetOf } from '../plan/index.js';
import type { HookProgress } from './hook-progress.js';
import { type HookedResource, runningHook } from './recorded-hooks.js';

/** Milliseconds after which the status shows a restart that begins. */
const announcing = 1_000;

/** What the status says about restarts, the events, and when the deadline of a hook ends. */
export interface RestartReport {
  readonly status: { readonly restart?: RecordedRestart };
  readonly events: readonly ResourceEvent[];
  /** Milliseconds. */
  readonly requeueAfter?: number;
}

/** Records the restart that is due, and how far its hooks got. */
export function restartReport(
  resource: HookedResource,
  seen: {
    readonly situation: Situation;
    readonly steps: readonly Step[];
    /** How far the running hook got. */
    readonly progress: HookProgress | undefined;
  },
): RestartReport {
  const { situation, steps, progress } = seen;
  const announced = steps.flatMap((step) => (step.act === 'wait' && step.announces ? [step.announces] : []))[0];
  if (announced) return announcement(announced, situation);
  const { restart } = situation;
  if (!restart) return { status: {}, events: [] };
  const open = openHook(situation);
  if (!open) return { status: isObsolete(restart, situation) ? {} : { restart }, events: [] };
  const { hook, node } = open;
  if (restart[hook] === 'Pending') {
    const servedTime = timestampOf(situation.now);
    return { status: { restart: { ...restart, [hook]: 'Running', servedTime } }, events: [], requeueAfter: announcing };
  }
  const became = (
    state: 'Running' | 'Failed' | 'Succeeded' | 'Expired',
    ...events: ResourceEvent[]
  ): RestartReport => ({
    ...{ status: { restart: { ...restart, [hook]: state } }, events, requeueAfter: announcing },
  });
  const isSeen = runningHook(resource)?.hook === hook;
  if (isSeen && progress?.hasSucceeded) {
    const note = `The hook ${hook} of ${node.name} has succeeded`;
    return became('Succeeded', { type: 'Normal', reason: 'HookSucceeded', note });
  }
  const since = Date.parse((hook === 'preRestart' ? restart.startedTime : restart.servedTime) ?? '');
  const deadline = resource.spec.hooks?.deadline ?? '0s';
  const left = since + 1_000 * secondsOf(deadline) - situation.now;
  const last = isSeen && progress?.problem !== undefined ? `: ${progress.problem}` : '';
  if (!(left > 0)) {
    const note = `The hook ${hook} of ${node.name} did not succeed within ${deadline}, so the rollout continues${last}`;
    return became('Expired', { type: 'Warning', reason: 'HookExpired', note });
  }
  const hasFailed = isSeen && progress?.hasFailed === true;
  if (hasFailed === (restart[hook] === 'Failed')) return { status: { restart }, events: [], requeueAfter: left };
  if (!hasFailed) return became('Running');
  const note = `The hook ${hook} of ${node.name} has failed, and the rollout waits until ${deadline} have passed${last}`;
  return became('Failed', { type: 'Warning', reason: 'HookFailed', note });
}

function announcement(node: KafkaNode, situation: Situation): RestartReport {
  const { cluster, hooks, now } = situation;
  const { unavoidable = 0, blockingNames = [] } = cluster?.load[node.id] ?? {};
  const restart: RecordedRestart = {
    ...{ node: node.name, target: targetOf(node, situation), startedTime: timestampOf(now) },
    ...(unavoidable > 0 && { interrupted: [...blockingNames], interruptedPartitions: unavoidable }),
    ...(hooks?.preRestart && { preRestart: 'Running' as const }),
    ...(hooks?.postRestart && { postRestart: 'Pending' as const }),
  };
  const names = blockingNames.join(', ');
  const note = `The restart of ${node.name} interrupts ${unavoidable} partitions without a replica to spare, such as ${names}`;
  const events = unavoidable > 0 ? [{ type: 'Warning' as const, reason: 'PartitionsInterrupted', note }] : [];
  return { status: { restart }, events, requeueAfter: announcing };
}

/** True if the spec has changed before the restart: a hook of the new one runs again. */
function isObsolete({ node: name, target }: RecordedRestart, situation: Situation): boolean {
  const node = situation.nodes.find((one) => one.name === name);
  return !node || targetOf(node, situation) !== target;
}
