import type { Dispatcher } from 'undici';

/** A request that may be called off until its first byte is written. */
export interface Recallable {
  /** Throws to keep the request from being sent. */
  readonly mayLeave?: (() => void) | undefined;
}

/** How a request fails that was not sent; the cause is what `mayLeave` threw. */
export class CalledOff extends Error {
  constructor(cause: unknown) {
    super('called off before it was sent', { cause });
  }
}

/** Before a handler hears this, nothing is written; the newer name and the one that the library still calls. */
const beginnings = ['onRequestStart', 'onConnect'] as const;

/**
 * Asks `mayLeave` in the turn of the event loop in which the request is written to its connection, however long it
 * waited for one in the library: for its turn in a full pool, for the handshake, or for another connection after the
 * first one broke.
 * @see https://undici.nodejs.org/#/docs/api/Dispatcher: the handler is told "before request is dispatched on socket"
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
