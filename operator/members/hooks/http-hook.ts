import type { Construct } from 'constructs';
import { type CallState, ExternalCall, type Polled, type PollRequest } from '../../runtime/index.js';
import type { Member } from '../member/member.js';
import type { HookProgress } from './hook-progress.js';
import { type HookAnswer, type HookQuestion, type RestartDocument, restartHooks } from './port.js';
import { type HttpAction, type RecordedHook, type ResourceRestart, runningHook } from './recorded-hooks.js';
import type { HookToRun, RecordedRestart } from './restart.js';

/** The name of the call that sends a hook. */
export const hookCall = 'hook';
/** The name of the poll that asks whether a server has confirmed it. */
const hookPoll = 'hook';

/** Asks whether the server has confirmed the running hook. */
export function hookPollRequest<Job, R extends RecordedRestart>(
  recorded: ResourceRestart<Job, R>,
): PollRequest<HookQuestion> | undefined {
  const { http, id } = runningHook(recorded) ?? {};
  if (!http || id === undefined || recorded.resource.metadata.deletionTimestamp !== undefined) return undefined;
  return { question: questionOf(id, http), interval: 5_000 };
}

function questionOf(id: string, { url, caBundle }: HttpAction): HookQuestion {
  return { id, url, ...(caBundle !== undefined && { caBundle }) };
}

/** What renders the request of a hook. */
export interface HttpHookProps<Job, R extends RecordedRestart, M extends Member> extends ResourceRestart<Job, R> {
  readonly open: HookToRun<M> | undefined;
  readonly polled: Polled<HookAnswer> | undefined;
  /** What the server learns beside the hook and the Pod. */
  readonly documentOf: (
    running: RecordedHook<Job, R>,
    open: HookToRun<M>,
  ) => Readonly<Record<string, string | number | readonly string[]>>;
}

/** Renders the request of the running hook, until its server has confirmed it. The kind polls it under the name `hook`. */
export function renderHttpHook<Job, R extends RecordedRestart, M extends Member>(
  scope: Construct,
  { open, polled, documentOf, ...recorded }: HttpHookProps<Job, R, M>,
): void {
  const running = runningHook(recorded);
  if (!running?.http || open?.hook !== running.hook || !polled?.known || polled.value.state === 'confirmed') return;
  const { hook, http, id } = running;
  const { namespace = '' } = recorded.resource.metadata;
  const restart: RestartDocument = { id, hook, namespace, ...documentOf(running, open), pod: open.member.name };
  new ExternalCall(scope, hookCall, {
    ...{ port: restartHooks, request: { ...questionOf(id, http), restart } },
    ...{ refreshes: [hookPoll], timeout: 30_000 },
    ...(http.secretRef && { secret: http.secretRef.name }),
  });
}

/** How far the running request got. Undefined without one. */
export function httpProgress<Job, R extends RecordedRestart>(
  recorded: ResourceRestart<Job, R>,
  { polled, call }: { readonly polled: Polled<HookAnswer> | undefined; readonly call: CallState },
): HookProgress | undefined {
  if (!runningHook(recorded)?.http) return undefined;
  return {
    hasSucceeded: polled?.known === true && polled.value.state === 'confirmed',
    problem: call.state === 'failed' ? call.why : undefined,
  };
}
