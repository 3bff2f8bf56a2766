import { type Backoff, waitAfter } from '../concurrency/backoff.js';
import type { CallError, CallState } from '../ports/external-call.js';
import type { DesiredCall } from '../rendering/external-call.js';
import type { Asked } from './poller.js';

/** How often a request was sent, without the times that the server refused it. */
export interface Sends {
  readonly count: number;
  /** When it was sent first, in milliseconds since 1970. */
  readonly firstAt: number;
}

/** A call that was sent, as far as this process knows. */
export interface Attempt {
  readonly call: Pick<DesiredCall, 'hash' | 'refreshes' | 'visibleWithin' | 'independent'>;
  readonly stamp: string;
  /** The answers that the call was sent on. */
  readonly basis: string;
  /** The end of the call. */
  readonly ended: Asked;
  /** The same, in milliseconds since 1970. */
  readonly at: number;
  /** How often the same request was sent in a row, and may have had an effect. */
  readonly sends: Sends;
  /** How often it was sent in a row, with the times that the server refused it. */
  readonly tries: number;
  readonly error: CallError | undefined;
  /** When the first of the failures in a row was, in milliseconds since 1970. */
  readonly since: number;
  /** The same request may be sent again on answers that were asked for after this time (monotonic). */
  readonly notBefore: number;
  /**
   * Until when this call and earlier ones of the name may show an effect (monotonic). A refused call has none, so it adds
   * nothing to the time of the one before.
   */
  readonly showsUntil: number;
}

/** For a call that failed, or whose effect does not show. */
const callBackoff: Backoff = { first: 1_000, most: 300_000 };
/** For a server that does not accept the credentials. A person has to act. */
const unauthorizedBackoff: Backoff = { first: 30_000, most: 600_000 };

/** No server has told whether the request has an effect. */
export function isUncertain({ error }: Attempt): boolean {
  return error?.mayHaveEffect === true;
}

/** Another request may be sent on answers that were asked for after this time (monotonic), however often this one was sent. */
export function othersNotBefore({ ended, error, showsUntil }: Attempt): number {
  return Math.max(showsUntil, ended.at + (error?.retryAfter ?? 0));
}

/** The state after an attempt. */
export function stateOf({ at, error, since, sends }: Attempt): CallState {
  if (!error) return { state: 'sent', at, ...sends };
  return { state: 'failed', kind: error.kind, why: error.message, since, ...toldOf(sends) };
}

/** The number of sends in the state of a call that failed. */
export function toldOf({ count, firstAt }: Sends): { readonly count: number; readonly firstAt?: number } {
  return count === 0 ? { count } : { count, firstAt };
}

/**
 * Milliseconds from the end of a call until the same request may be sent again, at the earliest when its effect had to show
 * and when the server wants it. It doubles with each repetition, and its random part is so small that it always grows.
 */
export function pauseAfter(
  count: number,
  { shows, error, random }: { readonly shows: number; readonly error: CallError | undefined; readonly random: number },
): number {
  const { first, most } = error?.kind === 'unauthorized' ? unauthorizedBackoff : callBackoff;
  const growing = waitAfter(count, { first: Math.max(first, shows), most: Number.POSITIVE_INFINITY }, (3 + random) / 4);
  const backoff = error || count > 1 ? Math.min(most, growing) : 0;
  return Math.max(shows, backoff, error?.retryAfter ?? 0);
}

/** The effect of a call, for the message of a deletion. */
export function effectOf(
  name: string,
  { at, error, showsUntil }: Attempt,
  timeOf: (monotonic: number) => number,
): string {
  const result = error?.mayHaveEffect === true ? ` without a known result (${error.message})` : '';
  return `the effect of call ${name}, which ended at ${timeText(at)}${result} and shows by ${timeText(timeOf(showsUntil))} if it has one`;
}

/** A time in milliseconds since 1970, for people. */
export function timeText(at: number): string {
  return new Date(at).toISOString();
}
