import { retryAfterIn } from '../kubernetes/errors.js';
import { timestampOf } from '../kubernetes/timestamp.js';

/**
 * Why a call failed. `retryable`: the server may accept the same request later. `terminal`: the server never accepts this
 * request. `unauthorized`: the server does not accept the credentials. `unreachable`: no server answered.
 */
export type CallErrorKind = 'retryable' | 'terminal' | 'unauthorized' | 'unreachable';

/** What is known about a failed call, beside its message. */
export interface CallErrorOptions {
  /** Milliseconds before which the server wants no other try. @default - the runtime's backoff */
  readonly retryAfter?: number;
  /**
   * Whether the request may have had an effect. Then the runtime waits for that effect before it sends the request again.
   * @default - false for `terminal` and `unauthorized`, true otherwise
   */
  readonly mayHaveEffect?: boolean;
}

/** The failure of a call. Its message is the server's own words, for people, without secrets. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly retryAfter: number | undefined;
  readonly mayHaveEffect: boolean;

  constructor(
    readonly kind: CallErrorKind,
    message: string,
    { retryAfter, mayHaveEffect = kind === 'retryable' || kind === 'unreachable' }: CallErrorOptions = {},
  ) {
    super(message);
    this.retryAfter = retryAfter;
    this.mayHaveEffect = mayHaveEffect;
  }

  /**
   * The failure that an HTTP status means: 401 and 403 are `unauthorized`; 408, 425, 429 and 5xx are `retryable`; any
   * other is `terminal`. A server that answers 425 or 429 has not carried out the request.
   * @param retryAfter the header `Retry-After`: seconds, or a date
   * @param now milliseconds since 1970, for a date
   */
  static fromStatus(status: number, message: string, retryAfter?: string | null, now = Date.now()): CallError {
    if (status === 401 || status === 403) return new CallError('unauthorized', message);
    const isRetryable = [408, 425, 429].includes(status) || status >= 500;
    if (!isRetryable) return new CallError('terminal', message);
    const wait = retryAfterIn(retryAfter ?? '', now);
    const mayHaveEffect = status !== 425 && status !== 429;
    const isTold = wait !== undefined && wait > 0 && Number.isFinite(wait);
    return new CallError('retryable', message, { mayHaveEffect, ...(isTold && { retryAfter: wait * 1000 }) });
  }
}

/** How far a call got. Only a later observation shows its effect, so there is no state for success. */
export type CallState =
  /** It is not rendered. */
  | { readonly state: 'none' }
  /** It is not sent yet, or it is in progress for the first time. */
  | {
      readonly state: 'waiting';
      /** The cause, for people. */
      readonly why: string;
    }
  /** The server answered it, and its effect is not observed yet. It may be in progress again. */
  | {
      readonly state: 'sent';
      /** When it was answered last, in milliseconds since 1970. */
      readonly at: number;
      /** How often the same request was sent, without the times that the server refused it. @see noEffectOf */
      readonly count: number;
      /** When it was sent for the first time of them, in milliseconds since 1970. */
      readonly firstAt: number;
    }
  | {
      readonly state: 'failed';
      readonly kind: CallErrorKind;
      /** The server's own words, or the cause, for people. */
      readonly why: string;
      /** When it failed for the first time in a row, in milliseconds since 1970. */
      readonly since: number;
      /** How often the same request was sent, without the times that the server refused it. */
      readonly count: number;
      /** When it was sent for the first time of them, in milliseconds since 1970. Absent if the count is 0. */
      readonly firstAt?: number;
    };

/** What a call should change, for people. */
export interface MissingEffect {
  /** What the call should lead to. */
  readonly wanted: string;
  /** What the polls show instead. */
  readonly seen: string;
}

/**
 * That a call was repeated because no effect showed, as a part of a sentence. Undefined if it was sent at most once, or if
 * it failed.
 *
 * @param change @default - only the sends are told
 * @returns such as "sent 9 times since 2026-01-02T10:03:00Z, without effect: wanted 192.0.2.7, seen 192.0.2.8"
 */
export function noEffectOf(call: CallState, change?: MissingEffect): string | undefined {
  if (call.state !== 'sent' || call.count < 2) return undefined;
  const sends = `sent ${call.count} times since ${timestampOf(call.firstAt)}, without effect`;
  return change ? `${sends}: wanted ${change.wanted}, seen ${change.seen}` : sends;
}

/** The calls of a resource, by their names. */
export interface CallStates {
  of(name: string): CallState;
  /** The calls that are rendered. */
  readonly names: readonly string[];
}

const none: CallState = Object.freeze({ state: 'none' });

/** @param states of the rendered calls, in order */
export function callStates(states: ReadonlyMap<string, CallState>): CallStates {
  return { of: (name) => states.get(name) ?? none, names: [...states.keys()] };
}

/** For a resource without calls. */
export const noCalls: CallStates = Object.freeze(callStates(new Map()));
