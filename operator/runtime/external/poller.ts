import { aborted, allowManyListeners, linked } from '../concurrency/abort-signals.js';
import type { Semaphore } from '../concurrency/semaphore.js';
import { awaited, type Polled, type PollRequest } from '../controller/polls.js';
import { deepFreeze } from '../kubernetes/deep-freeze.js';
import { messageOf } from '../kubernetes/errors.js';
import type { Clock } from '../ports/clock.js';
import type { LongPoll, Source, SourceCallOptions } from '../ports/external-port.js';
import type { PollResult } from '../ports/telemetry.js';

/** What a poller needs. */
export interface PollerContext {
  readonly source: Source<unknown, unknown>;
  /** @default - answers have no versions */
  readonly versionOf?: ((answer: unknown) => string | undefined) | undefined;
  readonly clock: Clock;
  readonly turnstile: Semaphore;
  /** The name of the port. */
  readonly port: string;
  /** A number greater than all before. It orders the starts of polls and the ends of calls. */
  readonly order: () => number;
  /**
   * Called with the result of each poll. `seconds`: without the time for which the source could hold the poll. `isNews`: the
   * known answer has changed.
   */
  readonly heard: (ask: { result: PollResult; seconds: number; isNews: boolean }) => void;
}

/** The start of a poll. */
export interface Asked {
  /** Monotonic. */
  readonly at: number;
  readonly order: number;
}

interface Outcome {
  readonly result: PollResult;
  readonly polled: Polled;
  /** How the next poll is held. Undefined if it is not. */
  readonly next?: LongPoll | undefined;
}

/** Milliseconds between two polls, whatever a spec requests: one second to one day. */
const pauses = { least: 1_000, most: 86_400_000 };

/** Milliseconds after the first consecutive failure. Doubled after each further one, up to `every`. */
const again = 10_000;

/** Milliseconds until a poll times out: up to one minute. */
const patience = { least: 1, most: 60_000 };

/** Milliseconds for which a source may hold a poll. */
const holds = { least: 0, most: 30_000 };

/** Milliseconds between the starts of two polls that a source may hold. */
const leastHeld = 100;

/** Milliseconds until the first poll of a question. */
const delays = { least: 0, most: pauses.most };

/** The end of a held poll whose answer is needed at once. */
const released = new Error('the answer is needed at once');

/**
 * Polls one question of one resource in the background and keeps the answers.
 *
 * Guarantees: polls never overlap. Two polls start at least `every` apart, at least ten seconds apart after a failure,
 * and at least one second apart if the question has changed. A question with a delay is first asked after it. Only
 * {@link refresh} asks earlier, and a poll that the source
 * may hold: two of these start at least 0.1 seconds apart. Nothing is reported after the end. A poll that waits for its
 * turn has not started, so its deadline has not started either. A held poll takes no turn of others.
 */
export class Poller {
  readonly #ending = new AbortController();
  #gathered: Polled;
  #cancel = () => {};
  #untilAnother: number;
  #failures = 0;
  #isAsking = false;
  #isAnnounced = false;
  #asking: PollRequest;
  #asked: Asked | undefined;
  /** How the next poll is held. Undefined if it is not. */
  #longPoll: LongPoll | undefined;
  /** Ends the poll in progress if it is held. */
  #release = () => {};
  /** Called when the next poll that starts has ended. */
  #refreshed: (() => void)[] = [];

  /** @param notBefore when it may start (monotonic) */
  constructor(
    asking: PollRequest,
    readonly context: PollerContext,
    notBefore = Number.NEGATIVE_INFINITY,
  ) {
    this.#asking = asking;
    this.#gathered = deepFreeze({ known: false, why: awaited.noAnswer, since: context.clock.now(), earlier: [] });
    this.#untilAnother = notBefore;
    this.#askAfter(Math.max(within(delays, asking.delay ?? 0), notBefore - context.clock.monotonic()));
  }

  get asking(): PollRequest {
    return this.#asking;
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
   * Asks anew at once, or right after the poll in progress, which may not reflect what has changed meanwhile. A held poll
   * ends now. Resolves when the new poll has ended, with any result, or polling has.
   */
  refresh(): Promise<void> {
    if (this.#ending.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#refreshed.push(resolve);
      if (this.#isAsking) return this.#release();
      this.#cancel();
      void this.#ask();
    });
  }

  /** Polls at another interval from now on, and asks anew soon, because something has changed. What is known stays. */
  pace(interval: number): void {
    if (interval === this.#asking.interval) return;
    this.#asking = { ...this.#asking, interval };
    if (this.#asked) this.announced();
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
    const longPoll = this.#refreshed.length > 0 ? undefined : this.#longPoll;
    const leave = longPoll ? () => {} : await turnstile.enter(this.#ending.signal);
    if (!leave) return;
    const refreshed = this.#refreshed.splice(0);
    const began = clock.monotonic();
    const asked = { at: began, order: this.context.order() };
    this.#untilAnother = began + pauses.least;
    const outcome = await this.#outcome(clock.now(), longPoll);
    leave();
    this.#isAsking = false;
    if (!this.#ending.signal.aborted) {
      if (outcome) this.#hear({ ...outcome, asked, longPoll });
      else this.#askAfter(0);
    }
    for (const resolve of refreshed) resolve();
  }

  #hear({ result, polled, next, asked, longPoll }: Outcome & { asked: Asked; longPoll: LongPoll | undefined }): void {
    const took = this.context.clock.monotonic() - asked.at;
    this.#failures = result === 'answered' ? 0 : this.#failures + 1;
    this.#longPoll = next;
    // A source that answers the same before the time is over holds nothing.
    const isHeld = next && (next.after !== longPoll?.after || took >= longPoll.wait / 2);
    const pause = isHeld ? leastHeld : this.#pause();
    const isNews = isOther(this.#gathered, polled);
    this.#gathered = polled;
    this.#asked = asked;
    if (this.#refreshed.length === 0 && this.#isAnnounced) this.#askAnnounced();
    else this.#askAfter(this.#refreshed.length > 0 ? 0 : pause - took);
    this.context.heard({ result, seconds: Math.max(0, took - (longPoll?.wait ?? 0)) / 1000, isNews });
  }

  #longPollAfter(value: unknown): LongPoll | undefined {
    const wait = within(holds, this.asking.hold ?? 0);
    const after = wait > 0 ? this.context.versionOf?.(value) : undefined;
    return after === undefined ? undefined : { after, wait };
  }

  /**
   * Milliseconds from the start of the last poll to the start of the next. A failed poll is retried before a long
   * interval ends.
   */
  #pause(): number {
    const every = within(pauses, this.#asking.interval);
    return this.#failures === 0 ? every : Math.min(every, again * 2 ** (this.#failures - 1));
  }

  /** @returns undefined if the poll was held and its answer is needed at once */
  async #outcome(at: number, longPoll: LongPoll | undefined): Promise<Outcome | undefined> {
    const deadline = within(patience, this.asking.timeout ?? 5_000) + (longPoll?.wait ?? 0);
    const { signal, abort, release } = linked(this.#ending.signal);
    const late = new Error(`no answer within ${deadline} ms`);
    const cancel = this.context.clock.after(deadline, () => abort(late));
    if (longPoll) this.#release = () => abort(released);
    try {
      const value = await Promise.race([this.#answer({ signal, longPoll }), rejected(signal)]);
      return { result: 'answered', polled: this.#knowing(value, at), next: this.#longPollAfter(value) };
    } catch (error) {
      if (signal.aborted && signal.reason === released) return undefined;
      const why = messageOf(signal.aborted ? signal.reason : error);
      return { result: signal.aborted ? 'late' : 'failed', polled: this.#ignorant(why, at) };
    } finally {
      this.#release = () => {};
      cancel();
      release();
    }
  }

  /** An error that a source throws synchronously is treated as a rejection. */
  async #answer({ signal, longPoll }: SourceCallOptions): Promise<unknown> {
    const { asking, context } = this;
    if (signal.aborted) throw signal.reason;
    allowManyListeners(signal);
    return context.source(asking.question, { signal, ...(longPoll && { longPoll }) });
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
