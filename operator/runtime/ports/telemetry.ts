/** Where the runtime says what it does. Everything is optional to a listener and nothing may throw. */
export interface Telemetry {
  readonly log: Log;
  /** Does a piece of work, and tells how long it took and how it ended. What it is part of is whatever runs. */
  readonly span: Span;
  /** A resource is owed a pass. Told once until the pass begins. */
  enqueued(to: { controller: string }): void;
  /** A pass begins, after so many seconds of waiting. */
  reconcileStarted(pass: { controller: string; seconds: number }): void;
  /** A pass has ended. `late`: its deadline ended it. */
  reconciled(pass: { controller: string; result: ReconcileResult; seconds: number; late?: boolean }): void;
  /** An object was written or removed, or a status was. */
  wrote(write: { controller: string; kind: string; verb: WriteVerb }): void;
  /** A write that did not help, however often, is not made for a while: see `FieldsConflicted`. */
  breakerTripped(write: { controller: string; kind: string; reason: string }): void;
  /** A watch is up and has told everything there is, or is down. `missing`: the kind is not served. */
  watchStateChanged(watch: { kind: string; namespace: string; state: WatchState }): void;
  /** Somebody was asked what a resource wants to know. `late`: there was no answer in time. */
  polled(ask: { controller: string; port: string; result: PollResult; seconds: number }): void;
  /** An event was not told. */
  eventDropped(event: { controller: string; why: DropReason }): void;
  /** This process leads, or does not. */
  leaderChanged(lease: { name: string; leads: boolean }): void;
}

/**
 * `requeue_after`: a look later was asked for. `requeue`: it was cut because of an edit, and begun again. The words are
 * controller-runtime's.
 */
export type ReconcileResult = 'success' | 'requeue_after' | 'requeue' | 'error';
export type WriteVerb = 'create' | 'apply' | 'delete' | 'status' | 'finalizer' | 'event';
/** `busy`: too many are on their way; `limit`: the resource had too much to say; `error`: the API server refused it. */
export type DropReason = 'busy' | 'limit' | 'error';
export type PollResult = 'answered' | 'failed' | 'late';
export type WatchState = 'synced' | 'down' | 'missing';

/** Structured lines: the fields for machines, the message for people. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** @param fields what the work is about, for machines */
export type Span = <T>(name: string, fields: SpanFields, work: () => T) => T;
export type SpanFields = Readonly<Record<string, string>>;

/** Does the work, and tells nobody. */
export const noSpan: Span = (_name, _fields, work) => work();

/** A log whose lines all have these fields. */
export function withFields(fields: object, log: Log): Log {
  return {
    debug: (more, message) => log.debug({ ...fields, ...more }, message),
    info: (more, message) => log.info({ ...fields, ...more }, message),
    warn: (more, message) => log.warn({ ...fields, ...more }, message),
    error: (more, message) => log.error({ ...fields, ...more }, message),
  };
}

/** Says nothing: for tests and for authors who bring none. */
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
  eventDropped: () => {},
  leaderChanged: () => {},
};
