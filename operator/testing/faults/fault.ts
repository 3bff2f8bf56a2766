import type { Call, Verb } from './call.js';

/** What goes wrong with one request. Durations are in milliseconds. */
export type Fault =
  /** It takes longer: on the way there, on the way back, or both. */
  | { readonly kind: 'delay'; readonly before?: number; readonly after?: number }
  /** It is answered with this status and never reaches the server. `retryAfter` is in seconds. */
  | { readonly kind: 'refuse'; readonly code: number; readonly retryAfter?: number }
  /** The connection breaks: before the request reached the server, or after the server did what was asked. */
  | { readonly kind: 'lose'; readonly what: 'request' | 'answer' }
  /** The body of the answer comes slowly. */
  | { readonly kind: 'trickle'; readonly bytesPerSecond: number }
  /** A watch breaks off. */
  | { readonly kind: 'cut'; readonly afterEvents: number }
  /** A watch stays open and says nothing any more. */
  | { readonly kind: 'freeze'; readonly afterEvents: number }
  /** A watch tells an error of this status, and ends: 410 is what a server says that has forgotten the news. */
  | { readonly kind: 'error-event'; readonly code: number; readonly afterEvents: number };

/** Which requests meet a fault. What is not said matches everything. */
export interface FaultRule {
  readonly fault: Fault;
  readonly verb?: Verb | readonly Verb[];
  /** Plural, with the subresource: `deployments`, `algorithms/status`. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** How many requests that match go through before the first one is met. @default 0 */
  readonly skip?: number;
  /** How many are met at most. @default - all */
  readonly times?: number;
  /** The share of them that is met, from 0 to 1. @default 1 */
  readonly probability?: number;
}

/** A fault that was injected. */
export interface InjectedFault extends Call {
  /** Milliseconds since the proxy started. */
  readonly at: number;
  readonly fault: Fault;
}

/** What every injected refusal says, so that logs tell it from a real one. */
export const injectedMessage = 'injected by the fault proxy';

const reasons: Readonly<Record<number, string>> = {
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** The Status by which an API server says no. */
export function statusOf(code: number, retryAfter?: number): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: injectedMessage,
    reason: reasons[code] ?? '',
    ...(retryAfter !== undefined && { details: { retryAfterSeconds: retryAfter } }),
    code,
  };
}
