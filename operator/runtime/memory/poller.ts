import { aborted, linked } from '../concurrency/abort-signals.js';
import type { Semaphore } from '../concurrency/semaphore.js';
import type { Polled, PollRequest } from '../controller/polls.js';
import { deepFreeze } from '../kubernetes/deep-freeze.js';
import { messageOf } from '../kubernetes/errors.js';
import type { Clock } from '../ports/clock.js';
import type { Source } from '../ports/external-port.js';
import type { PollResult } from '../ports/telemetry.js';

/** What an inquiry takes. */
export interface PollerContext {
  readonly source: Source<unknown, unknown>;
  readonly clock: Clock;
  readonly turnstile: Semaphore;
  /** Hears how each ask ended. `isNews`: what is known now is not what was known before. */
  readonly heard: (ask: { result: PollResult; seconds: number; isNews: boolean }) => void;
}

/** Milliseconds that go by from one ask to the next, whatever a spec makes of it: a second to a day. */
const pauses = { least: 1_000, most: 86_400_000 };

/** Milliseconds after the first failure in a row; twice as many after each further one, until `every` goes by. */
const again = 10_000;

/** Milliseconds that an answer may take: up to a minute. */
const patience = { least: 1, most: 60_000 };

/**
 * Asks one question of one resource again and again, in the background, and knows what was answered.
 *
 * Guarantees: never two asks at once; from the beginning of one to that of the next `every` goes by at the least, ten
 * seconds or more after a failure, and a second where the question is another; nothing is heard after the end. An ask
 * that waits for its turn has not begun, so its deadline has not either.
 */
export class Poller {
  readonly #ending = new AbortController();
  #gathered: Polled;
  #cancel = () => {};
  #untilAnother: number;
  #failures = 0;

  /** @param notBefore when it may begin (monotonic) */
  constructor(
    readonly asking: PollRequest,
    readonly place: PollerContext,
    notBefore = Number.NEGATIVE_INFINITY,
  ) {
    this.#gathered = deepFreeze({ known: false, why: 'not answered yet', since: place.clock.now(), earlier: [] });
    this.#untilAnother = notBefore;
    this.#askAfter(notBefore - place.clock.monotonic());
  }

  /** When another question may be asked in its stead (monotonic). */
  get untilAnother(): number {
    return this.#untilAnother;
  }

  /** What is known now. Frozen. */
  get polled(): Polled {
    return this.#gathered;
  }

  /** Asks no more. */
  end(): void {
    this.#cancel();
    this.#ending.abort(new Error('nobody wants to know any more'));
  }

  #askAfter(ms: number): void {
    if (ms > 0) this.#cancel = this.place.clock.after(ms, () => void this.#ask());
    else void this.#ask();
  }

  async #ask(): Promise<void> {
    const { clock, turnstile } = this.place;
    const leave = await turnstile.enter(this.#ending.signal);
    if (!leave) return;
    const began = clock.monotonic();
    this.#untilAnother = began + pauses.least;
    const at = clock.now();
    const { result, polled } = await this.#outcome(at);
    leave();
    if (this.#ending.signal.aborted) return;
    const took = clock.monotonic() - began;
    const { place } = this;
    this.#failures = result === 'answered' ? 0 : this.#failures + 1;
    this.#askAfter(this.#pause() - took);
    const isNews = isOther(this.#gathered, polled);
    this.#gathered = polled;
    place.heard({ result, seconds: took / 1000, isNews });
  }

  /** Milliseconds from the beginning of the last ask to that of the next: who failed is not left alone for an hour. */
  #pause(): number {
    const every = within(pauses, this.asking.interval);
    return this.#failures === 0 ? every : Math.min(every, again * 2 ** (this.#failures - 1));
  }

  async #outcome(at: number): Promise<{ result: PollResult; polled: Polled }> {
    const deadline = within(patience, this.asking.timeout ?? 5_000);
    const { signal, abort, release } = linked(this.#ending.signal);
    const late = new Error(`no answer within ${deadline} ms`);
    const cancel = this.place.clock.after(deadline, () => abort(late));
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

  /** What a source throws at once is no other failure than what it rejects with. */
  async #answer(signal: AbortSignal): Promise<unknown> {
    const { asking, place } = this;
    if (signal.aborted) throw signal.reason;
    return place.source(asking.question, { signal });
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

/** An answer is always news: it tells of a later time. A failure is, unless it is the one before. */
function isOther(before: Polled, now: Polled): boolean {
  return now.known || before.known || before.why !== now.why;
}

/** A timer takes what is no number, and what is too large, for now. */
function within({ least, most }: { readonly least: number; readonly most: number }, ms: number): number {
  return ms >= least ? Math.min(ms, most) : least;
}

async function rejected(signal: AbortSignal): Promise<never> {
  await aborted(signal);
  throw signal.reason;
}
