import type { Call, Verb } from './call.js';

/** A fault of one request. Durations are in milliseconds. */
export type Fault =
  /** A delay before the request, after the response, or both. */
  | { readonly kind: 'delay'; readonly before?: number; readonly after?: number }
  /** A response with this status. The request never reaches the server. `retryAfter` is in seconds. */
  | { readonly kind: 'refuse'; readonly code: number; readonly retryAfter?: number }
  /** A broken connection: before the request reaches the server, or after the server has carried it out. */
  | { readonly kind: 'lose'; readonly what: 'request' | 'answer' }
  /** A slow response body. */
  | { readonly kind: 'trickle'; readonly bytesPerSecond: number }
  /** A watch that breaks. */
  | { readonly kind: 'cut'; readonly afterEvents: number }
  /** A watch that stays open and becomes silent. */
  | { readonly kind: 'freeze'; readonly afterEvents: number }
  /** A watch that ends with an ERROR event of this status. 410 means that the resource version is too old. */
  | { readonly kind: 'error-event'; readonly code: number; readonly afterEvents: number };

/** The requests that get a fault. Absent fields match all requests. */
export interface FaultRule {
  readonly fault: Fault;
  readonly verb?: Verb | readonly Verb[];
  /** Plural, with the subresource: `deployments`, `algorithms/status`. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Number of matching requests that pass before the first fault. @default 0 */
  readonly skip?: number;
  /** Maximum number of faults. @default - unlimited */
  readonly times?: number;
  /** Share of the matching requests that get the fault, from 0 to 1. @default 1 */
  readonly probability?: number;
}

/** A fault that was injected. */
export interface InjectedFault extends Call {
  /** Milliseconds since the proxy started. */
  readonly at: number;
  readonly fault: Fault;
}

/** The message of every injected refusal, to distinguish it from real ones in logs. */
export const injectedMessage = 'injected by the fault proxy';

const reasons: Readonly<Record<number, string>> = {
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** The Status object of a refusal. */
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
