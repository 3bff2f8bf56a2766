import { aborted, allowManyListeners, linked } from '../concurrency/abort-signals.js';
import { Semaphore } from '../concurrency/semaphore.js';
import { messageOf } from '../kubernetes/errors.js';
import { type Clock, sleep } from '../ports/clock.js';
import { CallError, type CallErrorKind } from '../ports/external-call.js';
import type { Perform, Performer, SecretData } from '../ports/external-port.js';
import type { CallOutcome } from '../ports/telemetry.js';

/** The result of one call. */
export interface CallResult {
  readonly outcome: CallOutcome;
  /** Undefined if the server answered. */
  readonly error?: CallError;
}

/** One call, as a port sends it. */
export interface OutgoingCall {
  readonly request: unknown;
  /** Milliseconds. */
  readonly timeout: number;
  /** Aborts when the call must end. */
  readonly signal: AbortSignal;
  /** Proves that the call may be sent, when it has its turn. Its time does not count. */
  readonly prepare: () => Promise<void>;
  /** Performs the request with the Secret that the call names. */
  readonly withSecret: <T>(use: (secret: SecretData | undefined) => Promise<T>) => Promise<T>;
  /** Throws if the call must not be sent any more. */
  readonly mayLeave: () => void;
}

/** Consecutive calls without an answer after which the breaker opens. */
const opensAfter = 5;
/** Milliseconds until an open breaker lets one call try. */
const opensFor = 30_000;

/**
 * Sends the calls of all resources to one port.
 *
 * Guarantees: at most `concurrency` calls are in progress, at most `callsPerSecond` start in a second, and each ends by
 * its deadline. After five calls in a row without an answer the breaker opens: {@link unreachable} tells why, and one
 * call in 30 s tries.
 */
export class CallPort {
  readonly #turnstile: Semaphore;
  #nextAt = Number.NEGATIVE_INFINITY;
  #silent = 0;
  #isTrying = false;
  #broken: { readonly why: string; readonly since: number; readonly until: number } | undefined;

  constructor(
    readonly name: string,
    readonly performer: Performer,
    readonly clock: Clock,
  ) {
    this.#turnstile = new Semaphore(Math.max(1, performer.concurrency ?? 4));
  }

  /** Why no call can be sent now. Undefined if one can. `retryIn`: milliseconds. `since`: milliseconds since 1970. */
  get unreachable(): { readonly why: string; readonly since: number; readonly retryIn: number } | undefined {
    const broken = this.#broken;
    if (!broken) return undefined;
    const left = broken.until - this.clock.monotonic();
    if (left <= 0 && !this.#isTrying) return undefined;
    return { why: broken.why, since: broken.since, retryIn: Math.max(left, 1_000) };
  }

  /**
   * @throws what `prepare` or `mayLeave` throws. Then nothing was sent
   * @returns undefined if the signal aborted before the call was sent
   */
  async send(call: OutgoingCall): Promise<CallResult | undefined> {
    this.#isTrying = this.#broken !== undefined;
    try {
      const leave = await this.#turnstile.enter(call.signal);
      if (!leave) return undefined;
      try {
        await this.#pace(call.signal);
        if (call.signal.aborted) return undefined;
        await call.prepare();
        if (call.signal.aborted) return undefined;
        return this.#heard(await this.#perform(call));
      } finally {
        leave();
      }
    } finally {
      this.#isTrying = false;
    }
  }

  async #pace(signal: AbortSignal): Promise<void> {
    const now = this.clock.monotonic();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + 1_000 / Math.max(this.performer.callsPerSecond ?? 10, 0.001);
    if (at > now) await sleep(this.clock, at - now, signal);
  }

  /** The check and the call are in one turn of the event loop. */
  async #perform({ request, timeout, signal, mayLeave, withSecret }: OutgoingCall): Promise<CallResult> {
    const { signal: ending, abort, release } = linked(signal);
    let isLate = false;
    const cancel = this.clock.after(timeout, () => {
      isLate = true;
      abort(new Error(`no answer within ${timeout} ms`));
    });
    const perform = this.performer.perform as Perform<unknown>;
    let fenced: unknown;
    const send = async (secret: SecretData | undefined) => {
      try {
        mayLeave();
      } catch (error) {
        fenced = error;
        throw error;
      }
      allowManyListeners(ending);
      return perform(request, { signal: ending, mayLeave, ...(secret && { secret }) });
    };
    try {
      await Promise.race([withSecret(send), endOf(ending)]);
      return { outcome: 'answered' };
    } catch (error) {
      if (fenced !== undefined) throw fenced;
      if (!ending.aborted) return failed(error);
      const why = messageOf(ending.reason);
      return { outcome: isLate ? 'timeout' : 'unreachable', error: new CallError('unreachable', why) };
    } finally {
      cancel();
      release();
    }
  }

  #heard(result: CallResult): CallResult {
    const isSilent = result.error?.kind === 'unreachable';
    this.#silent = isSilent ? this.#silent + 1 : 0;
    if (!isSilent) this.#broken = undefined;
    else if (this.#silent >= opensAfter) {
      const { clock } = this;
      const why = result.error?.message ?? '';
      this.#broken = { why, since: this.#broken?.since ?? clock.now(), until: clock.monotonic() + opensFor };
    }
    return result;
  }
}

/** Errors of connections, by the codes of Node.js, that prove that nothing was sent. */
const unsent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
/** Those after which the effect is unknown. */
const lost = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

function failed(error: unknown): CallResult {
  if (error instanceof CallError) return { outcome: error.kind, error };
  const codes = [error, (error as { cause?: unknown } | undefined)?.cause].map(
    (one) => (one as { code?: unknown } | undefined)?.code,
  );
  const isUnsent = codes.some((code) => unsent.includes(String(code)));
  const isLost = codes.some((code) => lost.includes(String(code)));
  const kind: CallErrorKind = isUnsent || isLost ? 'unreachable' : 'retryable';
  return { outcome: kind, error: new CallError(kind, messageOf(error), { mayHaveEffect: !isUnsent }) };
}

async function endOf(signal: AbortSignal): Promise<never> {
  await aborted(signal);
  throw signal.reason;
}
