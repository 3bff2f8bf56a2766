import type { Construct } from 'constructs';
import { secondsOf } from '../../../../crds/index.js';
import type { KafkaClusterResource } from '../../../../imports/index.js';
import {
  type CallState,
  ExternalCall,
  type Polled,
  type PollRequest,
  type ResourceEvent,
  timestampOf,
} from '../../../runtime/index.js';
import { type HookAnswer, type HookQuestion, kafkaHooks } from '../ports/hooks.js';
import type { KafkaNode } from './nodes/nodes.js';
import { openHook, type RecordedRestart, type Situation, type Step, targetOf } from './plan/index.js';

/** The name of the call that sends a hook. */
export const hookCall = 'hook';

type Resource = Pick<KafkaClusterResource, 'metadata' | 'spec' | 'status'>;
/** The hooks of a restart. */
type HookName = 'preRestart' | 'postRestart';
/** Milliseconds after which the status shows a restart that begins. */
const announcing = 1_000;

/** The hook that the status has as running. */
function runningHook({ metadata, spec, status }: Resource) {
  const { restart } = status ?? {};
  if (!restart) return undefined;
  const hook: HookName = restart.preRestart === 'Running' ? 'preRestart' : 'postRestart';
  const http = spec.hooks?.[hook]?.http;
  if (restart[hook] !== 'Running' || !http) return undefined;
  // The time tells two restarts to the same state apart.
  const id = [metadata.uid, restart.node, restart.target, hook, restart.startedTime ?? ''].join('/');
  return { hook, http, id, restart };
}

/** Asks whether the server has confirmed the running hook. */
export function hookAsked({ resource }: { readonly resource: Resource }): PollRequest<HookQuestion> | undefined {
  const running = runningHook(resource);
  if (!running || resource.metadata.deletionTimestamp !== undefined) return undefined;
  const { http, id } = running;
  return { question: questionOf(id, http), interval: 5_000 };
}

function questionOf(id: string, { url, caBundle }: { readonly url: string; readonly caBundle?: string }): HookQuestion {
  return { id, url, ...(caBundle !== undefined && { caBundle }) };
}

/** Renders the request of the running hook, until its server has confirmed it. */
export function renderHook(
  scope: Construct,
  resource: Resource,
  { situation, polled }: { readonly situation: Situation; readonly polled: Polled<HookAnswer> | undefined },
): void {
  const running = runningHook(resource);
  const open = openHook(situation);
  if (!running || open?.hook !== running.hook || !polled?.known || polled.value.state === 'confirmed') return;
  const { hook, http, id, restart } = running;
  const { name: cluster, namespace = '' } = resource.metadata;
  const { interrupted = [], interruptedPartitions = 0 } = restart;
  const about = { broker: open.node.id, pod: open.node.name, interrupted, interruptedPartitions };
  new ExternalCall(scope, hookCall, {
    ...{ port: kafkaHooks, request: { ...questionOf(id, http), restart: { id, hook, namespace, cluster, ...about } } },
    // What a server confirmed is known at once.
    ...{ refreshes: ['hook'], visibleWithin: 0, timeout: 30_000 },
    ...(http.secretRef && { secret: http.secretRef.name }),
  });
}

/** What the status says about restarts, the events, and when the deadline of a hook ends. */
export interface RestartReport {
  readonly status: { readonly restart?: RecordedRestart };
  readonly events: readonly ResourceEvent[];
  /** Milliseconds. */
  readonly requeueAfter?: number;
}

/** Records the restart that is due, and how far its hooks got. */
export function restartReport(
  resource: Resource,
  seen: {
    readonly situation: Situation;
    readonly steps: readonly Step[];
    readonly polled: Polled<HookAnswer> | undefined;
    readonly call: CallState;
  },
): RestartReport {
  const { situation, steps, polled, call } = seen;
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
  const ended = (state: 'Succeeded' | 'Expired', event: ResourceEvent): RestartReport => ({
    ...{ status: { restart: { ...restart, [hook]: state } }, events: [event], requeueAfter: announcing },
  });
  if (polled?.known && polled.value.state === 'confirmed' && runningHook(resource)?.hook === hook) {
    const note = `The hook ${hook} of ${node.name} has succeeded`;
    return ended('Succeeded', { type: 'Normal', reason: 'HookSucceeded', note });
  }
  const since = Date.parse((hook === 'preRestart' ? restart.startedTime : restart.servedTime) ?? '');
  const deadline = resource.spec.hooks?.deadline ?? '0s';
  const left = since + 1_000 * secondsOf(deadline) - situation.now;
  if (left > 0) return { status: { restart }, events: [], requeueAfter: left };
  const last = call.state === 'failed' ? `: ${call.why}` : '';
  const note = `The hook ${hook} of ${node.name} did not succeed within ${deadline}, so the rollout continues${last}`;
  return ended('Expired', { type: 'Warning', reason: 'HookExpired', note });
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
