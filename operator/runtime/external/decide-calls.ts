import { hash } from 'node:crypto';
import { resourceIn } from '../cache/unconfirmed-writes.js';
import { type Blocker, holdsUp } from '../controller/blocker.js';
import type { Controller } from '../controller/controller.js';
import { hasFinalizer, isEnding, isSelected } from '../controller/finalization.js';
import { isSameSpec, specOf } from '../kubernetes/equality.js';
import { OutdatedError } from '../kubernetes/errors.js';
import { isDeleting, keyOf, type LiveObject } from '../kubernetes/object.js';
import { isPaused } from '../kubernetes/pause.js';
import { truncate } from '../kubernetes/truncate.js';
import { recordEvent } from '../ports/event-recorder.js';
import {
  CallError,
  type CallErrorKind,
  type CallState,
  type CallStates,
  callStates,
  noCalls,
  noEffectOf,
} from '../ports/external-call.js';
import type { DesiredCall } from '../rendering/external-call.js';
import { callIntentsOf, clearCallIntents, sendsIn, writeCallIntent } from './call-intents.js';
import type { CallResult } from './call-port.js';
import type { CallRecords, CallView } from './call-records.js';
import type { Callers } from './callers.js';
import type { ExternalAnswers } from './external-answers.js';
import type { ExternalContext } from './external-context.js';

/** What a reconcile renders. */
interface Planned {
  /** Undefined if the desired state is not known. */
  readonly calls: readonly DesiredCall[] | undefined;
  readonly observation: { readonly external: ExternalAnswers };
  /** Reports whether the calls were rendered from facts that have changed since. */
  readonly isSuperseded: () => boolean;
}

/** How far the calls of a resource got. */
export interface Called {
  readonly calls: CallStates;
  /** Why a resource that is deleted or not selected may still have something outside of the cluster. Undefined if it has not. */
  readonly unsettled?: string | undefined;
  /** Hands the call over that may be sent now, once the status is written. */
  readonly send: () => void;
}

const nothing: Called = { calls: noCalls, send: () => {} };

/** Bytes of a request in the log and in events. */
const longestRequest = 200;

/**
 * The stage between the apply and the assessment: decides which of the rendered calls may be sent. A call waits for the
 * objects, and for an observation that is newer than the last write and the last call. It is handed to its port when the
 * status is written, so that no write of the resource competes with it.
 */
export async function decideCalls(
  context: ExternalContext,
  plan: Planned,
  { blockers }: { readonly blockers: readonly Blocker[] },
): Promise<Called> {
  const { callers, controller, resource, stores } = context;
  const { calls } = plan;
  const { external } = plan.observation;
  if (controller.calls.length === 0 || !calls) return nothing;
  if (!callers) {
    for (const call of calls) context.telemetry.log.info(fieldsOf(call, context), 'Would send external call');
    return { ...nothing, calls: withheld(calls, 'Only the running operator sends calls') };
  }
  const subject = subjectOf(resource);
  const intents = callIntentsOf(context);
  const ending = isEnding(controller, resource);
  if (calls.length === 0 && intents.length === 0 && !callers.knows(subject) && !ending) return nothing;
  const records = callers.recordsOf(subject);
  if (!ending) records.resume();
  inheritIntents(records, calls, { ...context, polls: Object.keys(external.answers) });
  const view = viewOf(context, external, callers);
  const { states, due, look } = records.decide(calls, view);
  const isCleared = await clearCallIntents((name) => records.isPending(name) || states.has(name), context);
  const stop = whyNoCall(context, blockers);
  const isGone = () => !stores.holds(controller.kind, resource);
  const unconfirmed = stores.unconfirmedWrites.of(resourceIn(controller.name, subject.key));
  const isOld = plan.isSuperseded() || isGone() || unconfirmed.length > 0;
  callers.lookAgain(subject, look);
  const unsettled = unsettledOf(records, { ...context, callers, view, isIdle: due.length === 0 && states.size === 0 });
  // The finalizer is removed only in the version that was observed.
  if (isCleared && ending) callers.lookAgain(subject, { after: 0, polls: [] });
  const held =
    stop === undefined ? [] : due.map(({ name }) => [name, { state: 'waiting', why: stop } as const] as const);
  const shown = new Map([...states, ...held]);
  return {
    calls: callStates(shown),
    unsettled: renderedIn(shown) ?? (isCleared ? 'the removal of the intents of its calls from its status' : unsettled),
    send: () => {
      if (stop !== undefined || isOld || isGone()) return;
      for (const call of due) send(call, { ...context, callers, view });
    },
  };
}

function whyNoCall({ resource }: ExternalContext, blockers: readonly Blocker[]): string | undefined {
  if (isPaused(resource)) return 'The resource is paused';
  return blockers.some(holdsUp) ? 'The objects of the resource are not applied yet' : undefined;
}

/** What happens to a call that is tried again, for people. */
const failures: Readonly<Record<CallErrorKind, string>> = {
  retryable: 'has failed',
  terminal: 'has been refused',
  unauthorized: 'has not been authorized',
  unreachable: 'has had no answer',
};

/** The first rendered call, for the message of a deletion. */
function renderedIn(states: ReadonlyMap<string, CallState>): string | undefined {
  const [first] = states;
  if (!first) return undefined;
  const [name, state] = first;
  if (state.state === 'sent') return `call ${name}, ${noEffectOf(state) ?? 'whose effect does not show yet'}`;
  if (state.state !== 'failed') return `call ${name}`;
  return `call ${name}, which ${failures[state.kind]} since ${new Date(state.since).toISOString()}: ${state.why}`;
}

function subjectOf({ metadata }: LiveObject): { key: string; uid: string } {
  return { key: keyOf(metadata), uid: metadata.uid };
}

function withheld(calls: readonly DesiredCall[], why: string): CallStates {
  return callStates(new Map(calls.map(({ name }) => [name, { state: 'waiting', why }])));
}

/** What an earlier process was about to send counts as sent, with an unknown result, when this process first sees it. */
function inheritIntents(
  records: CallRecords,
  calls: readonly DesiredCall[],
  context: ExternalContext & { readonly polls: readonly string[] },
): void {
  const { callers, clock, pollers, polls, resource } = context;
  for (const intent of callIntentsOf(context)) {
    const { name, hash } = intent;
    if (records.isPending(name) || !pollers || !callers) continue;
    const rendered = calls.find((call) => call.name === name);
    const { refreshes = polls, visibleWithin = callers.visibleWithin } = rendered ?? {};
    const error = new CallError('unreachable', 'The process that sent the call ended before its result was known');
    const ended = { at: clock.monotonic(), order: pollers.order() };
    const at = clock.now();
    const { lastAt, ...sends } = sendsIn(intent, at);
    const call = { hash, refreshes, visibleWithin, independent: false };
    records.inherit(name, { call, ended, at, error, sends, age: at - lastAt });
    void pollers.refresh(keyOf(resource.metadata), refreshes);
  }
}

function viewOf({ clock, resource }: ExternalContext, { answers, asked }: ExternalAnswers, callers: Callers): CallView {
  const subject = subjectOf(resource);
  return {
    ...{ answers, asked, stamp: stampOf(resource) },
    now: clock.monotonic(),
    inherited: (visibleWithin) => callers.inheritedUntil(subject, visibleWithin),
    timeOf: (monotonic) => callers.timeOf(monotonic),
    unreachable: (call) => callers.unreachable(call),
  };
}

/** Another value after an edit or the deletion. */
function stampOf(resource: LiveObject): string {
  const { generation } = resource.metadata;
  const spec = generation ?? hash('sha256', JSON.stringify(specOf(resource)), 'hex');
  return `${spec} ${isDeleting(resource)}`;
}

type CallContext = ExternalContext & { readonly callers: Callers; readonly view: CallView };

function send(call: DesiredCall, context: CallContext): void {
  const { callers, resource, view } = context;
  const subject = subjectOf(resource);
  const prepare = (signal: AbortSignal) =>
    call.irreversible
      ? writeCallIntent(call, callers.recordsOf(subject).sendsWith(call), { ...context, signal })
      : assertCurrent({ ...context, signal });
  callers.send(subject, call, { view, prepare, heard: (result) => report(call, result, context) });
}

/**
 * The caches may lag: an earlier leader can have removed the finalizer of a resource that they still show. So the server
 * is asked before a call, which nobody could take back for a resource that is gone.
 * @throws {OutdatedError} if the resource has changed since it was observed
 */
async function assertCurrent({ cluster, controller, resource, signal, stores }: ExternalContext): Promise<void> {
  const { kind } = controller;
  const key = keyOf(resource.metadata);
  const before = stores.of(kind).get(key);
  const live = await cluster.read(kind, resource.metadata, { signal });
  if (live && isAlike(live, resource, controller) && (!controller.finalizes || hasFinalizer(live, controller))) return;
  stores.of(kind).saw(key, live, before);
  throw new OutdatedError('the resource has changed since it was observed');
}

function isAlike(one: LiveObject, other: LiveObject, controller: Controller): boolean {
  if (one.metadata.uid !== other.metadata.uid || isDeleting(one) !== isDeleting(other)) return false;
  if (isPaused(one)) return false;
  return isSameSpec(one, other) && isSelected(controller, one) === isSelected(controller, other);
}

/** The fields of a log line about a call. */
function fieldsOf(call: DesiredCall, { controller, resource }: ExternalContext) {
  const { name, port, logged } = call;
  const text = truncate(logged, longestRequest);
  return { controller: controller.name, key: keyOf(resource.metadata), call: name, port, request: text };
}

function report(call: DesiredCall, { error, outcome }: CallResult, context: CallContext): void {
  const { resource, telemetry } = context;
  const fields = fieldsOf(call, context);
  const what = `Call ${call.name} of ${call.port} ${fields.request}`;
  if (error) {
    telemetry.log.warn({ ...fields, outcome, error: error.message }, 'External call failed');
    const note = `${what} failed, ${outcome}: ${error.message}`;
    recordEvent({ type: 'Warning', reason: 'ExternalCallFailed', note }, context, resource);
    return;
  }
  telemetry.log.info(fields, 'Sent external call');
  recordEvent({ type: 'Normal', reason: 'ExternalCallSent', note: `${what} was answered` }, context, resource);
}

function unsettledOf(
  records: CallRecords,
  { callers, controller, pollers, resource, view, isIdle }: CallContext & { readonly isIdle: boolean },
): string | undefined {
  if (!isEnding(controller, resource) || !pollers) return undefined;
  const { visibleWithin } = callers;
  const why = records.unsettled(view, { order: () => pollers.order(), visibleWithin });
  if (why === undefined || !isIdle || records.isBusy) return why;
  // Nothing else would show that the last effects are gone.
  const asked = Object.keys(view.answers);
  const isKnown = asked.every((poll) => view.answers[poll]?.known !== false);
  // What no poll would show is not waited for after a restart: nothing tells that there is anything.
  const until = asked.length > 0 ? callers.inheritedUntil(subjectOf(resource), visibleWithin) : view.now;
  const after = Math.max(records.untilSettled(view), until - view.now, 0);
  if (isKnown) callers.lookAgain(subjectOf(resource), { after, polls: asked });
  return why;
}
