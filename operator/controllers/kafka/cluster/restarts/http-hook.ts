import type { Construct } from 'constructs';
import { type CallState, ExternalCall, type Polled, type PollRequest } from '../../../../runtime/index.js';
import { type HookAnswer, type HookQuestion, kafkaHooks } from '../../ports/hooks.js';
import { openHook, type Situation } from '../plan/index.js';
import type { HookProgress } from './hook-progress.js';
import { type HookedResource, runningHook } from './recorded-hooks.js';

/** The name of the call that sends a hook. */
export const hookCall = 'hook';

/** Asks whether the server has confirmed the running hook. */
export function hookAsked({ resource }: { readonly resource: HookedResource }): PollRequest<HookQuestion> | undefined {
  const { http, id } = runningHook(resource) ?? {};
  if (!http || id === undefined || resource.metadata.deletionTimestamp !== undefined) return undefined;
  return { question: questionOf(id, http), interval: 5_000 };
}

function questionOf(
  id: string,
  { url, caBundle }: { readonly url: string; readonly caBundle?: string | undefined },
): HookQuestion {
  return { id, url, ...(caBundle !== undefined && { caBundle }) };
}

/** Renders the request of the running hook, until its server has confirmed it. */
export function renderHttpHook(
  scope: Construct,
  resource: HookedResource,
  { situation, polled }: { readonly situation: Situation; readonly polled: Polled<HookAnswer> | undefined },
): void {
  const running = runningHook(resource);
  const open = openHook(situation);
  if (!running?.http || open?.hook !== running.hook || !polled?.known || polled.value.state === 'confirmed') return;
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

/** How far the running request got. Undefined without one. */
export function httpProgress(
  resource: HookedResource,
  { polled, call }: { readonly polled: Polled<HookAnswer> | undefined; readonly call: CallState },
): HookProgress | undefined {
  if (!runningHook(resource)?.http) return undefined;
  return {
    hasSucceeded: polled?.known === true && polled.value.state === 'confirmed',
    problem: call.state === 'failed' ? call.why : undefined,
  };
}
