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
/** The server of a port whose performer names none. */
const onlyServer = '';
/** Servers that gave no answer and are remembered. A forgotten one counts as one that answers. */
const mostSilent = 1_024;

/** A server that gave no answer to the last call. */
interface SilentServer {
  /** Consecutive calls without an answer. */
  readonly calls: number;
  readonly why: string;
  /** When the breaker opened, in milliseconds since 1970. Undefined while it is closed. */
  readonly since?: number | undefined;
  /** When one call may try (monotonic). */
  readonly until: number;
}

/**
 * Sends the calls of all resources to one port.
 *
 * Guarantees: at most `concurrency` calls are in progress, at most `callsPerSecond` start in a second, and each ends by
 * its deadline. After five calls in a row to one server without an answer its breaker opens: {@link unreachable} tells why,
 * and one call in 30 s tries.
 */
export class CallPort {
  readonly #turnstile: Semaphore;
  #nextAt = Number.NEGATIVE_INFINITY;
  readonly #silent = new Map<string, SilentServer>();
  readonly #tried = new Set<string>();

  constructor(
    readonly name: string,
    readonly performer: Performer,
    readonly clock: Clock,
  ) {
    this.#turnstile = new Semaphore(Math.max(1, performer.concurrency ?? 4));
  }

  /**
   * Why a request cannot be sent now. Undefined if it can. `retryIn`: milliseconds. `since`: milliseconds since 1970.
   */
  unreachable(
    request: unknown,
  ): { readonly why: string; readonly since: number; readonly retryIn: number } | undefined {
    const server = this.#serverOf(request);
    const { why = '', since, until = 0 } = this.#silent.get(server) ?? {};
    if (since === undefined) return undefined;
    const left = until - this.clock.monotonic();
    if (left <= 0 && !this.#tried.has(server)) return undefined;
    return { why, since, retryIn: Math.max(left, 1_000) };
  }

  /**
   * @throws what `prepare` or `mayLeave` throws. Then nothing was sent
   * @returns undefined if the signal aborted before the call was sent
   */
  async send(call: OutgoingCall): Promise<CallResult | undefined> {
    const server = this.#serverOf(call.request);
    if (this.#silent.get(server)?.since !== undefined) this.#tried.add(server);
    try {
      const leave = await this.#turnstile.enter(call.signal);
      if (!leave) return undefined;
      try {
        await this.#pace(call.signal);
        if (call.signal.aborted) return undefined;
        await call.prepare();
        if (call.signal.aborted) return undefined;
        return this.#heard(server, await this.#perform(call));
      } finally {
        leave();
      }
    } finally {
      this.#tried.delete(server);
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

  #serverOf(request: unknown): string {
    const serverOf = this.performer.serverOf as ((request: unknown) => string) | undefined;
    return serverOf?.(request) ?? onlyServer;
  }

  #heard(server: string, result: CallResult): CallResult {
    const before = this.#silent.get(server);
    this.#silent.delete(server);
    if (result.error?.kind !== 'unreachable') return result;
    const { clock } = this;
    const calls = (before?.calls ?? 0) + 1;
    const since = calls < opensAfter ? undefined : (before?.since ?? clock.now());
    this.#silent.set(server, { calls, why: result.error.message, since, until: clock.monotonic() + opensFor });
    const [oldest] = this.#silent.size > mostSilent ? this.#silent.keys() : [];
    if (oldest !== undefined) this.#silent.delete(oldest);
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
