import { type Backoff, waitAfter } from '../runtime/concurrency/backoff.js';
import { type ApiError, FencedError, isApiError } from '../runtime/kubernetes/errors.js';
import { type Clock, sleep } from '../runtime/ports/clock.js';

const tries = 4;
const between: Backoff = { first: 100, most: 5_000 };
/** Milliseconds. If a server asks to wait longer, the caller decides. */
const longestWait = 10_000;

/**
 * Retries requests that may succeed the second time and do no harm if they are repeated.
 *
 * A request that the server turned away (429, or 503 with Retry-After) was not carried out, so any such request may be
 * repeated. A request without a response, or with a 5xx, may have been carried out. It is repeated only if it is
 * `idempotent`.
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
