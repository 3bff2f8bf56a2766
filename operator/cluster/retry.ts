import { type Backoff, waitAfter } from '../runtime/concurrency/backoff.js';
import { type ApiError, FencedError, isApiError } from '../runtime/kubernetes/errors.js';
import { type Clock, sleep } from '../runtime/ports/clock.js';

const tries = 4;
const between: Backoff = { first: 100, most: 5_000 };
/** Milliseconds that a server may ask to wait; a longer wish is left to whoever called. */
const longestWait = 10_000;

/**
 * Tries again what may succeed the second time and cannot do harm by being done twice.
 *
 * A request that the server turned away (429, or 503 with Retry-After) was not carried out, so it may be repeated
 * whatever it is. One without an answer, or with a 5xx, may have been: only what is `idempotent` is repeated.
 */
export async function retrying<T>(
  send: () => Promise<T>,
  { idempotent, clock, signal }: { idempotent: boolean; clock: Clock; signal?: AbortSignal | undefined },
): Promise<T> {
  let lost: ApiError | undefined;
  for (let failures = 1; ; failures++) {
    try {
      return await send();
    } catch (error) {
      if (lost && error instanceof FencedError) throw new FencedError(error.message, { cause: lost });
      if (failures === tries || !isApiError(error) || !mayRepeat(error, idempotent)) throw error;
      if (!isTurnedAway(error)) lost = error;
      const wait = Math.max(error.retryAfter ?? 0, waitAfter(failures, between, clock.random()));
      if (wait > longestWait) throw error;
      await sleep(clock, wait, signal ?? never);
      if (signal?.aborted) throw signal.reason;
    }
  }
}

const never = new AbortController().signal;

function mayRepeat(error: ApiError, idempotent: boolean): boolean {
  return isTurnedAway(error) || (idempotent && (error.code === 0 || error.code >= 500));
}

function isTurnedAway({ code, retryAfter }: ApiError): boolean {
  return code === 429 || (code === 503 && retryAfter !== undefined);
}
