import { afterEach, describe, expect, it } from 'vitest';
import { Semaphore } from '../../../../operator/runtime/concurrency/semaphore.js';
import { Poller } from '../../../../operator/runtime/external/poller.js';
import type { SourceCallOptions } from '../../../../operator/runtime/ports/external-port.js';
import { FakeClock } from '../../fake-clock.js';

interface Word {
  readonly version?: string | undefined;
}

/** A system that holds questions, unless it is of an old version, and the poller that asks it. */
class Asked {
  readonly clock = new FakeClock();
  readonly turnstile = new Semaphore(1);
  /** What the system answers. */
  word: Word;
  readonly doesHold: boolean;
  /** What happens to its answers. */
  fate: 'arrive' | 'are lost' | 'are refused' = 'arrive';
  /** Seconds at which it was asked, with the version that was named. */
  readonly asked: [seconds: number, after?: string][] = [];
  readonly heard: { readonly result: string; readonly seconds: number }[] = [];
  /** Questions that were given up. */
  readonly aborted: unknown[] = [];
  readonly poller: Poller;
  #change = () => {};

  constructor({ word = { version: 'a' }, doesHold = true }: { word?: Word; doesHold?: boolean } = {}) {
    const { clock, turnstile } = this;
    this.word = word;
    this.doesHold = doesHold;
    this.poller = new Poller(
      { question: 'which word', interval: 2_000, hold: 2_000 },
      {
        ...{ clock, turnstile, order: () => 0, port: 'oracle' },
        source: (_, options) => this.#answer(options),
        versionOf: (answer) => (answer as Word).version,
        heard: ({ result, seconds }) => this.heard.push({ result, seconds }),
      },
    );
    asking.push(this);
  }

  async #answer({ longPoll, signal }: SourceCallOptions): Promise<Word> {
    const { clock } = this;
    this.asked.push([clock.monotonic() / 1_000, ...(longPoll ? [longPoll.after] : [])] as [number, string?]);
    signal.addEventListener('abort', () => this.aborted.push(signal.reason));
    if (this.fate === 'are refused') throw new Error('away');
    if (this.fate === 'are lost') return new Promise(() => {});
    if (longPoll && this.doesHold && longPoll.after === this.word.version)
      await new Promise<void>((resolve) => {
        this.#change = resolve;
        clock.after(longPoll.wait, resolve);
      });
    return this.word;
  }

  becomes(version: string): void {
    this.word = { version };
    this.#change();
  }

  async advance(seconds: number): Promise<void> {
    await this.clock.advance(1_000 * seconds);
  }
}

const asking: Asked[] = [];
afterEach(() => {
  for (const { poller } of asking.splice(0)) poller.end();
});

describe('a question that the source holds', () => {
  it('is asked again with the version of the answer, and while nothing changes once in the time for which it is held', async () => {
    const given = new Asked();
    await given.advance(10);
    expect(given.asked.slice(0, 3)).toEqual([[0], [0.1, 'a'], [2.1, 'a']]);
    expect(given.asked).toHaveLength(6);
  });

  it('is answered when something changes, and asked again after 0.1 s at the earliest', async () => {
    const given = new Asked();
    await given.advance(0.5);
    given.becomes('b');
    await given.advance(0);
    expect(given.poller.polled).toMatchObject({ known: true, value: { version: 'b' } });
    await given.advance(0.05);
    given.becomes('c');
    await given.advance(0.3);
    expect(given.asked).toEqual([[0], [0.1, 'a'], [0.5, 'b'], [0.6, 'c']]);
  });

  it.each<{ what: string; given: ConstructorParameters<typeof Asked>[0]; last: (string | number)[] }>([
    { what: 'answers have no version', given: { word: {} }, last: [8] },
    { what: 'the source answers the same at once', given: { doesHold: false }, last: [8.1, 'a'] },
  ])('is asked by the interval where $what', async ({ given: of, last }) => {
    const given = new Asked(of);
    await given.advance(9);
    expect(given.asked.length).toBeLessThanOrEqual(6);
    expect(given.asked.at(-1)).toEqual(last);
  });

  it('takes no turn of other polls', async () => {
    const given = new Asked();
    await given.advance(1);
    expect(given.asked.at(-1)).toEqual([0.1, 'a']);
    const leave = await Promise.race([given.turnstile.enter(new AbortController().signal), given.advance(0.5)]);
    expect(leave).toBeTypeOf('function');
  });

  it('is let go when its answer is needed at once, which is then asked without a wait', async () => {
    const given = new Asked();
    await given.advance(1);
    const refreshed = given.poller.refresh();
    await given.advance(0);
    await refreshed;
    expect(given.asked).toEqual([[0], [0.1, 'a'], [1]]);
    expect(given.aborted).toHaveLength(1);
    expect(given.heard.map(({ result }) => result)).toEqual(['answered', 'answered']);
  });

  it('is let go when polling ends, and not asked again', async () => {
    const given = new Asked();
    await given.advance(1);
    given.poller.end();
    await given.advance(5);
    expect(given.aborted).toHaveLength(1);
    expect(given.asked).toHaveLength(2);
    expect(given.heard).toHaveLength(1);
  });

  it('is no slow poll for a metric, and late only beyond the time for which it is held', async () => {
    const given = new Asked();
    await given.advance(5);
    expect(new Set(given.heard.map(({ seconds }) => seconds))).toEqual(new Set([0]));
    given.fate = 'are lost';
    await given.advance(9);
    expect(given.heard.at(-1)).toEqual({ result: 'late', seconds: 5 });
  });

  it('is asked without a version after a failure', async () => {
    const given = new Asked();
    await given.advance(1);
    given.fate = 'are refused';
    await given.advance(2);
    expect(given.poller.polled).toMatchObject({ known: false, why: 'away' });
    given.fate = 'arrive';
    await given.advance(3);
    expect(given.asked.at(-2)?.slice(1)).toEqual([]);
    expect(given.asked.at(-1)?.slice(1)).toEqual(['a']);
  });
});
