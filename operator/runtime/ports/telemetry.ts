import type { CallErrorKind } from './external-call.js';

/** Receives what the runtime reports. Every method is optional to a listener, and none may throw. */
export interface Telemetry {
  readonly log: Log;
  /** Runs a piece of work and reports its duration and result. Its parent is the span that is active. */
  readonly span: Span;
  /** A resource was added to the workqueue. Reported once until its reconcile starts. */
  enqueued(to: { controller: string }): void;
  /** A reconcile starts, after waiting for this number of seconds. */
  reconcileStarted(pass: { controller: string; seconds: number }): void;
  /** A reconcile has ended. `late`: it exceeded its deadline. */
  reconciled(pass: { controller: string; result: ReconcileResult; seconds: number; late?: boolean }): void;
  /** An object was written or deleted, or a status was written. */
  wrote(write: { controller: string; kind: string; verb: WriteVerb }): void;
  /** The breaker suspended a write that never held: see `FieldsConflicted`. */
  breakerTripped(write: { controller: string; kind: string; reason: string }): void;
  /** A watch is up and synced, or is down. `missing`: the kind is not served. */
  watchStateChanged(watch: { kind: string; namespace: string; state: WatchState }): void;
  /** An external source was polled. `late`: the poll timed out. */
  polled(ask: { controller: string; port: string; result: PollResult; seconds: number }): void;
  /** An external call ended after this number of seconds. */
  called(call: { controller: string; port: string; outcome: CallOutcome; seconds: number }): void;
  /** An event was not recorded. */
  eventDropped(event: { controller: string; why: DropReason }): void;
  /** This process leads, or does not. */
  leaderChanged(lease: { name: string; leads: boolean }): void;
}

/**
 * `requeue_after`: a later reconcile was requested. `requeue`: an edit stopped the reconcile, and it starts again. The
 * names are controller-runtime's.
 */
export type ReconcileResult = 'success' | 'requeue_after' | 'requeue' | 'error';
export type WriteVerb = 'create' | 'apply' | 'delete' | 'status' | 'finalizer' | 'event';
/**
 * `busy`: too many are in flight. `limit`: the resource exceeded its limit. `error`: the API server rejected the event.
 */
export type DropReason = 'busy' | 'limit' | 'error';
export type PollResult = 'answered' | 'failed' | 'late';
/** `timeout`: no answer came in time. The others are the kinds of `CallError`. */
export type CallOutcome = 'answered' | 'timeout' | CallErrorKind;
export type WatchState = 'synced' | 'down' | 'missing';

/** Structured log lines: fields for machines, a message for people. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** @param fields the subject of the work, for machines */
export type Span = <T>(name: string, fields: SpanFields, work: () => T) => T;
export type SpanFields = Readonly<Record<string, string>>;

/** Runs the work and reports nothing. */
export const noSpan: Span = (_name, _fields, work) => work();

/** A log that adds these fields to each line. */
export function withFields(fields: object, log: Log): Log {
  return {
    debug: (more, message) => log.debug({ ...fields, ...more }, message),
    info: (more, message) => log.info({ ...fields, ...more }, message),
    warn: (more, message) => log.warn({ ...fields, ...more }, message),
    error: (more, message) => log.error({ ...fields, ...more }, message),
  };
}

/** Reports nothing. For tests, and for authors who supply no telemetry. */
export const silent: Telemetry = {
  log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  span: noSpan,
  enqueued: () => {},
  reconcileStarted: () => {},
  reconciled: () => {},
  wrote: () => {},
  breakerTripped: () => {},
  watchStateChanged: () => {},
  polled: () => {},
  called: () => {},
  eventDropped: () => {},
  leaderChanged: () => {},
};
