import { aborted, allowManyListeners, linked } from '../concurrency/abort-signals.js';
import type { Semaphore } from '../concurrency/semaphore.js';
import { awaited, type Polled, type PollRequest } from '../controller/polls.js';
import { deepFreeze } from '../kubernetes/deep-freeze.js';
import { messageOf } from '../kubernetes/errors.js';
import type { Clock } from '../ports/clock.js';
import type { Source } from '../ports/external-port.js';
import type { PollResult } from '../ports/telemetry.js';

/** What a poller needs. */
export interface PollerContext {
  readonly source: Source<unknown, unknown>;
  readonly clock: Clock;
  readonly turnstile: Semaphore;
  /** The name of the port. */
  readonly port: string;
  /** A number greater than all before. It orders the starts of polls and the ends of calls. */
  readonly order: () => number;
  /** Called with the result of each poll. `isNews`: the known answer has changed. */
  readonly heard: (ask: { result: PollResult; seconds: number; isNews: boolean }) => void;
}

/** The start of a poll. */
export interface Asked {
  /** Monotonic. */
  readonly at: number;
  readonly order: number;
}

/** Milliseconds between two polls, whatever a spec requests: one second to one day. */
const pauses = { least: 1_000, most: 86_400_000 };

/** Milliseconds after the first consecutive failure. Doubled after each further one, up to `every`. */
const again = 10_000;

/** Milliseconds until a poll times out: up to one minute. */
const patience = { least: 1, most: 60_000 };

/**
 * Polls one question of one resource in the background and keeps the answers.
 *
 * Guarantees: polls never overlap. Two polls start at least `every` apart, at least ten seconds apart after a failure,
 * and at least one second apart if the question has changed. Only {@link refresh} asks earlier. Nothing is reported after the end. A poll that waits for
 * its turn has not started, so its deadline has not started either.
 */
export class Poller {
  readonly #ending = new AbortController();
  #gathered: Polled;
  #cancel = () => {};
  #untilAnother: number;
  #failures = 0;
  #isAsking = false;
  #isAnnounced = false;
  #asked: Asked | undefined;
  /** Called when the next poll that starts has ended. */
  #refreshed: (() => void)[] = [];

  /** @param notBefore when it may start (monotonic) */
  constructor(
    readonly asking: PollRequest,
    readonly context: PollerContext,
    notBefore = Number.NEGATIVE_INFINITY,
  ) {
    this.#gathered = deepFreeze({ known: false, why: awaited.noAnswer, since: context.clock.now(), earlier: [] });
    this.#untilAnother = notBefore;
    this.#askAfter(notBefore - context.clock.monotonic());
  }

  /** When another question may be asked instead (monotonic). */
  get untilAnother(): number {
    return this.#untilAnother;
  }

  /** The name of the port. */
  get port(): string {
    return this.context.port;
  }

  /** What is known now. Frozen. */
  get polled(): Polled {
    return this.#gathered;
  }

  /** When the known answer was asked for. Undefined if nothing is known. */
  get asked(): Asked | undefined {
    return this.#gathered.known ? this.#asked : undefined;
  }

  /**
   * Asks anew at once, or right after the poll in progress, which may not reflect what has changed meanwhile. Resolves
   * when that poll has ended, with any result, or polling has.
   */
  refresh(): Promise<void> {
    if (this.#ending.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#refreshed.push(resolve);
      if (this.#isAsking) return;
      this.#cancel();
      void this.#ask();
    });
  }

  /** Asks anew soon, because the answer may have changed. */
  announced(): void {
    this.#isAnnounced = true;
    if (!this.#isAsking && !this.#ending.signal.aborted) this.#askAnnounced();
  }

  #askAnnounced(): void {
    this.#isAnnounced = false;
    this.#cancel();
    this.#askAfter(this.#untilAnother - this.context.clock.monotonic());
  }

  /** Stops polling. */
  end(): void {
    this.#cancel();
    this.#ending.abort(new Error('the answer is no longer needed'));
    for (const resolve of this.#refreshed.splice(0)) resolve();
  }

  #askAfter(ms: number): void {
    if (ms > 0) this.#cancel = this.context.clock.after(ms, () => void this.#ask());
    else void this.#ask();
  }

  async #ask(): Promise<void> {
    const { clock, turnstile } = this.context;
    this.#isAsking = true;
    const leave = await turnstile.enter(this.#ending.signal);
    if (!leave) return;
    const refreshed = this.#refreshed.splice(0);
    const began = clock.monotonic();
    const asked = { at: began, order: this.context.order() };
    this.#untilAnother = began + pauses.least;
    const at = clock.now();
    const { result, polled } = await this.#outcome(at);
    leave();
    this.#isAsking = false;
    if (!this.#ending.signal.aborted) this.#hear({ result, polled, asked });
    for (const resolve of refreshed) resolve();
  }

  #hear({ result, polled, asked }: { result: PollResult; polled: Polled; asked: Asked }): void {
    const took = this.context.clock.monotonic() - asked.at;
    this.#failures = result === 'answered' ? 0 : this.#failures + 1;
    if (this.#refreshed.length === 0 && this.#isAnnounced) this.#askAnnounced();
    else this.#askAfter(this.#refreshed.length > 0 ? 0 : this.#pause() - took);
    const isNews = isOther(this.#gathered, polled);
    this.#gathered = polled;
    this.#asked = asked;
    this.context.heard({ result, seconds: took / 1000, isNews });
  }

  /**
   * Milliseconds from the start of the last poll to the start of the next. A failed poll is retried before a long
   * interval ends.
   */
  #pause(): number {
    const every = within(pauses, this.asking.interval);
    return this.#failures === 0 ? every : Math.min(every, again * 2 ** (this.#failures - 1));
  }

  async #outcome(at: number): Promise<{ result: PollResult; polled: Polled }> {
    const deadline = within(patience, this.asking.timeout ?? 5_000);
    const { signal, abort, release } = linked(this.#ending.signal);
    const late = new Error(`no answer within ${deadline} ms`);
    const cancel = this.context.clock.after(deadline, () => abort(late));
    try {
      const value = await Promise.race([this.#answer(signal), rejected(signal)]);
      return { result: 'answered', polled: this.#knowing(value, at) };
    } catch (error) {
      const why = messageOf(signal.aborted ? signal.reason : error);
      return { result: signal.aborted ? 'late' : 'failed', polled: this.#ignorant(why, at) };
    } finally {
      cancel();
      release();
    }
  }

  /** An error that a source throws synchronously is treated as a rejection. */
  async #answer(signal: AbortSignal): Promise<unknown> {
    const { asking, context } = this;
    if (signal.aborted) throw signal.reason;
    allowManyListeners(signal);
    return context.source(asking.question, { signal });
  }

  #knowing(value: unknown, at: number): Polled {
    const before = this.#gathered;
    const known = before.known ? [...before.earlier, { value: before.value, at: before.at }] : before.earlier;
    return deepFreeze({ known: true, value, at, earlier: this.#kept(known, 1) });
  }

  #ignorant(why: string, at: number): Polled {
    const before = this.#gathered;
    if (!before.known) return deepFreeze({ ...before, why });
    const known = [...before.earlier, { value: before.value, at: before.at }];
    return deepFreeze({ known: false, why, since: at, earlier: this.#kept(known, 0) });
  }

  #kept(earlier: Polled['earlier'], others: number): Polled['earlier'] {
    const { keep = 1 } = this.asking;
    return earlier.slice(Math.max(0, earlier.length - Math.max(0, keep - others)));
  }
}

/** An answer is always news, because its time is later. A failure is news unless it equals the one before. */
function isOther(before: Polled, now: Polled): boolean {
  return now.known || before.known || before.why !== now.why;
}

/** A timer treats NaN and values that are too large as zero. */
function within({ least, most }: { readonly least: number; readonly most: number }, ms: number): number {
  return ms >= least ? Math.min(ms, most) : least;
}

async function rejected(signal: AbortSignal): Promise<never> {
  await aborted(signal);
  throw signal.reason;
}
