import { describe, expect, test } from 'vitest';
import { Semaphore } from '../../../../operator/runtime/concurrency/semaphore.js';
import type { Polled } from '../../../../operator/runtime/controller/polls.js';
import { Poller } from '../../../../operator/runtime/external/poller.js';
import { FakeClock } from '../../fake-clock.js';
import { leakWarnings } from '../given/leak-warnings.js';

const start = Date.parse('2030-01-01T00:00:00Z');

/** What is known after these answers, one every 10 s: numbers, or why there is none. */
async function gatheredFrom(answers: readonly (number | string)[], keep?: number): Promise<Polled> {
  const clock = new FakeClock();
  const coming = [...answers];
  const inquiry = new Poller(
    { question: 'how many', interval: 10_000, ...(keep !== undefined && { keep }) },
    {
      ...{ clock, turnstile: new Semaphore(1), heard: () => {}, order: () => 0, port: 'oracle' },
      source: async () => {
        const answer = coming.shift();
        if (typeof answer === 'string') throw new Error(answer);
        return answer;
      },
    },
  );
  await clock.advance((answers.length - 1) * 10_000);
  inquiry.end();
  return inquiry.polled;
}

test('a slow poll that fails is retried soon, with increasing delays until it succeeds', async () => {
  const clock = new FakeClock();
  const began = clock.now();
  const asked: number[] = [];
  const source = async () => {
    asked.push((clock.now() - began) / 1000);
    if (asked.length === 2 || asked.length > 6) return 'an answer';
    throw new Error('busy');
  };
  const place = { clock, turnstile: new Semaphore(1), heard: () => {}, order: () => 0, port: 'oracle', source };
  const inquiry = new Poller({ question: 'how many', interval: 60_000 }, place);
  for (let second = 0; second < 400; second++) await clock.advance(1_000);
  inquiry.end();
  expect(asked).toEqual([0, 10, 70, 80, 100, 140, 200, 260, 320, 380]);
});

test('a poll may send many requests at once with its signal', async () => {
  const clock = new FakeClock();
  const given: AbortSignal[] = [];
  const source = async (_: unknown, { signal }: { readonly signal: AbortSignal }) => given.push(signal);
  const place = { clock, turnstile: new Semaphore(1), heard: () => {}, order: () => 0, port: 'oracle', source };
  const poller = new Poller({ question: 'how many', interval: 60_000 }, place);
  await clock.advance(0);
  poller.end();
  expect(given.length).toBe(1);
  for (const signal of given) expect(await leakWarnings(signal)).toEqual([]);
});

describe('a question with a delay', () => {
  const asking = { question: 'how many', interval: 30_000, delay: 15_000 };
  const given = (delay = asking.delay, notBefore?: number) => {
    const clock = new FakeClock();
    const asked: number[] = [];
    const source = async () => asked.push(clock.monotonic());
    const place = { clock, turnstile: new Semaphore(1), heard: () => {}, order: () => 0, port: 'oracle', source };
    return { clock, asked, poller: new Poller({ ...asking, delay }, place, notBefore), from: clock.monotonic() };
  };

  test('is first asked after it, and then at its interval', async () => {
    const { asked, clock, from, poller } = given();
    await clock.advance(14_999);
    expect(asked).toEqual([]);
    await clock.advance(1);
    await clock.advance(30_000);
    poller.end();
    expect(asked).toEqual([from + 15_000, from + 45_000]);
  });

  test('is never asked if it ends before', async () => {
    const { asked, clock, poller } = given();
    await clock.advance(14_999);
    poller.end();
    await clock.advance(60_000);
    expect(asked).toEqual([]);
  });

  test('is asked at once if the answer is needed', async () => {
    const { asked, clock, from, poller } = given();
    await clock.advance(1_000);
    await poller.refresh();
    await clock.advance(29_999);
    poller.end();
    expect(asked).toEqual([from + 1_000]);
  });

  test.each([Number.NaN, -1])('is asked at once for a delay of %s', async (delay) => {
    const { asked, clock, from, poller } = given(delay);
    await clock.advance(0);
    poller.end();
    expect(asked).toEqual([from]);
  });

  test('waits for the end of both its delay and the pause after another question', async () => {
    const later = new FakeClock().monotonic() + 20_000;
    const { asked, clock, poller } = given(15_000, later);
    await clock.advance(25_000);
    poller.end();
    expect(asked).toEqual([later]);
  });
});

describe('a question at another interval', () => {
  const given = (source: () => Promise<unknown> = async () => 'red') => {
    const clock = new FakeClock();
    const began = clock.monotonic();
    const asked: number[] = [];
    const ask = () => {
      asked.push(clock.monotonic() - began);
      return source();
    };
    const place = { clock, turnstile: new Semaphore(1), heard: () => {}, order: () => 0, port: 'oracle', source: ask };
    return { clock, asked, poller: new Poller({ question: 'colour', interval: 60_000 }, place) };
  };

  test.each<readonly [times: readonly number[], when: string, after: number, interval: number]>([
    [[0, 5_000, 20_000, 35_000], 'it is shorter', 5_000, 15_000],
    [[0, 20_000, 35_000], 'it is shorter and has passed', 20_000, 15_000],
    [[0, 5_000], 'it is longer', 5_000, 3_600_000],
    [[0], 'it is the same', 5_000, 60_000],
  ])('is asked at %j when %s', async (times, _, after, interval) => {
    const { clock, asked, poller } = given();
    await clock.advance(after);
    poller.pace(interval);
    await clock.advance(40_000 - after);
    poller.end();
    expect(asked).toEqual(times);
    expect(poller.polled).toMatchObject({ known: true, value: 'red' });
  });

  test('is asked by it after the poll in progress', async () => {
    let answer = (_: string) => {};
    const { clock, asked, poller } = given(() => new Promise((resolve) => (answer = resolve)));
    await clock.advance(0);
    poller.pace(15_000);
    answer('red');
    await clock.advance(15_000);
    poller.end();
    expect(asked).toEqual([0, 15_000]);
  });

  test('is not asked later than the source has announced', async () => {
    const { clock, asked, poller } = given();
    await clock.advance(500);
    poller.announced();
    poller.pace(3_600_000);
    await clock.advance(500);
    poller.end();
    expect(asked).toEqual([0, 1_000]);
  });
});

describe('what is known of a question', () => {
  const at = (seconds: number, value: number) => ({ value, at: start + seconds * 1000 });

  test.each<{ known: object; when: string; answers: readonly (number | string)[]; keep?: number }>([
    { known: { ...at(0, 1), earlier: [] }, when: 'it was answered', answers: [1] },
    { known: { ...at(10, 2), earlier: [] }, when: 'one answer is kept', answers: [1, 2] },
    { known: { ...at(20, 3), earlier: [at(10, 2)] }, when: 'two are kept', answers: [1, 2, 3], keep: 2 },
    { known: { ...at(20, 3), earlier: [at(0, 1)] }, when: 'it failed in between', answers: [1, 'no', 3], keep: 2 },
    { known: { ...at(0, 1), earlier: [] }, when: 'none is kept', answers: [1], keep: 0 },
  ])('is the newest answer and $known.earlier when $when', async ({ known, answers, keep }) => {
    expect(await gatheredFrom(answers, keep)).toEqual({ known: true, ...known });
  });

  test.each<{ unknown: object; when: string; answers: readonly (number | string)[]; keep?: number }>([
    { unknown: { why: 'no', since: start, earlier: [] }, when: 'it failed first', answers: ['no'] },
    { unknown: { why: 'no', since: start + 10_000, earlier: [at(0, 1)] }, when: 'it fails now', answers: [1, 'no'] },
    { unknown: { why: 'c', since: start, earlier: [] }, when: 'it failed otherwise', answers: ['a', 'b', 'c'] },
    {
      unknown: { why: 'no', since: start + 20_000, earlier: [at(0, 1), at(10, 2)] },
      when: 'two are kept',
      answers: [1, 2, 'no', 'no'],
      keep: 2,
    },
  ])('is nothing, and since when, when $when', async ({ unknown, answers, keep }) => {
    expect(await gatheredFrom(answers, keep)).toEqual({ known: false, ...unknown });
  });
});
