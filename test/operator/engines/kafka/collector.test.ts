import { expect, it } from 'vitest';
import { Collector } from '../../../../operator/engines/kafka/connection/collector.js';

const forever = new AbortController().signal;

/** A clock whose time passes when the test says so. */
class GivenClock {
  readonly #waiting: (() => void)[] = [];
  delays: number[] = [];

  after(ms: number, callback: () => void): () => void {
    this.delays.push(ms);
    this.#waiting.push(callback);
    return () => {};
  }

  pass(): void {
    for (const callback of this.#waiting.splice(0)) callback();
  }
}

function given() {
  const clock = new GivenClock();
  const carried: (readonly string[])[] = [];
  let signal: AbortSignal | undefined;
  let finish = () => {};
  const collector = new Collector<string, string>(clock, async (items, ending) => {
    carried.push(items);
    signal = ending;
    if (items.includes('all fail')) throw new Error('nobody answers');
    if (items.includes('hangs')) await new Promise(() => {});
    if (items.includes('slow')) await new Promise<void>((resolve) => (finish = resolve));
    return items.map((item) => (item === 'fails' ? new Error('refused') : item.toUpperCase()));
  });
  return { clock, carried, collector, signal: () => signal, finish: () => finish() };
}

it('carries out together what comes within 50 ms for the same key, and each has its own result', async () => {
  const { clock, carried, collector } = given();
  const results = ['a', 'fails', 'b'].map((item) => collector.add('one', item, forever));
  const other = collector.add('other', 'c', forever);
  expect(clock.delays).toEqual([50, 50]);
  clock.pass();
  expect(await Promise.allSettled(results)).toMatchObject([
    { value: 'A' },
    { reason: { message: 'refused' } },
    { value: 'B' },
  ]);
  expect(await other).toBe('C');
  const late = collector.add('one', 'd', forever);
  clock.pass();
  expect(await late).toBe('D');
  expect(carried).toEqual([['a', 'fails', 'b'], ['c'], ['d']]);
});

it('collects more while an earlier request is under way, until that ends', async () => {
  const { clock, carried, collector, finish } = given();
  const slow = collector.add('one', 'slow', forever);
  clock.pass();
  const next = collector.add('one', 'a', forever);
  clock.pass();
  const more = collector.add('one', 'b', forever);
  expect(carried).toEqual([['slow']]);
  finish();
  expect(await Promise.all([slow, next, more])).toEqual(['SLOW', 'A', 'B']);
  expect(carried).toEqual([['slow'], ['a', 'b']]);
  // The time that was left changes nothing any more.
  clock.pass();
  expect(carried).toHaveLength(2);
});

it('waits half a second at most for a request that hangs', async () => {
  const { clock, carried, collector } = given();
  collector.add('one', 'hangs', forever).catch(() => {});
  clock.pass();
  const next = collector.add('one', 'a', forever);
  clock.pass();
  expect(carried).toEqual([['hangs']]);
  clock.pass();
  expect(await next).toBe('A');
  expect(clock.delays).toEqual([50, 50, 450]);
});

it('fails for all that wait if the request fails', async () => {
  const { clock, collector } = given();
  const results = Promise.allSettled(['a', 'all fail'].map((item) => collector.add('one', item, forever)));
  clock.pass();
  expect(await results).toMatchObject([
    { reason: { message: 'nobody answers' } },
    { reason: { message: 'nobody answers' } },
  ]);
});

it('asks nothing for those that have gone, and ends when the last one goes', async () => {
  const { clock, carried, collector, signal } = given();
  const [gone, first, second] = [new AbortController(), new AbortController(), new AbortController()];
  const left = collector.add('one', 'gone', gone.signal);
  const waiting = [collector.add('one', 'hangs', first.signal), collector.add('one', 'b', second.signal)];
  gone.abort(new Error('gone'));
  clock.pass();
  await expect(left).rejects.toThrow('gone');
  expect(carried).toEqual([['hangs', 'b']]);
  first.abort(new Error('first'));
  await expect(waiting[0]).rejects.toThrow('first');
  expect(signal()?.aborted).toBe(false);
  second.abort(new Error('second'));
  await expect(waiting[1]).rejects.toThrow('second');
  expect(signal()?.aborted).toBe(true);
});
