import type { Dispatcher } from 'undici';

/** A request that may be cancelled until its first byte is written. */
export interface Recallable {
  /** Throws to prevent the request from being sent. */
  readonly mayLeave?: (() => void) | undefined;
}

/** The error of a request that was not sent. Its cause is what `mayLeave` threw. */
export class CalledOff extends Error {
  constructor(cause: unknown) {
    super('cancelled before it was sent', { cause });
  }
}

/**
 * Nothing is written before a handler receives this call. The first name is newer, and the library still calls the
 * second.
 */
const beginnings = ['onRequestStart', 'onConnect'] as const;

/**
 * Calls `mayLeave` in the same turn of the event loop in which the request is written to its connection. The request
 * may have waited in the library before: in a full pool, for the TLS handshake, or for another connection after the
 * first one broke.
 * @see https://undici.nodejs.org/#/docs/api/Dispatcher: the handler is called "before request is dispatched on socket"
 */
export const dispatchGuard: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { mayLeave } = options as Recallable;
  for (const beginning of mayLeave ? beginnings : []) {
    const begin = handler[beginning]?.bind(handler) as ((...args: unknown[]) => void) | undefined;
    if (!begin) continue;
    handler[beginning] = (...args: unknown[]) => {
      try {
        mayLeave?.();
      } catch (why) {
        throw new CalledOff(why);
      }
      begin(...args);
    };
  }
  return dispatch(options, handler);
};
