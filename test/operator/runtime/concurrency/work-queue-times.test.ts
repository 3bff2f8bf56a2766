import { describe, expect, it } from 'vitest';
import { settled } from '../../fake-clock.js';
import { GivenQueue } from '../given/queue.js';

const failure = new Error('the server is away');

describe('a failed pass', () => {
  it('R12 is tried again after a wait that doubles', async () => {
    const given = new GivenQueue();
    given.queue.add('a');
    const waits: number[] = [];
    for (let n = 0; n < 4; n++) {
      await given.end(failure);
      const began = given.clock.monotonic();
      while (given.running.length === 0) await given.clock.advance(0.25);
      waits.push(given.clock.monotonic() - began);
    }
    expect(waits).toEqual([2.5, 5, 10, 20]);
    expect(given.running[0]?.failuresBefore).toBe(4);
  });

  it('R12 is neither hastened nor delayed by events, which do not count as failures', async () => {
    const given = new GivenQueue();
    given.queue.add('a');
    given.queue.add('a', 'event'); // during the pass
    await given.end(failure);
    for (let n = 0; n < 50; n++) given.queue.add('a', n % 2 ? 'event' : 'routine');
    await given.clock.advance(2.25);
    expect(given.started).toEqual(['a']);
    await given.clock.advance(0.25);
    expect(given.running.map(({ failuresBefore }) => failuresBefore)).toEqual([1]);
  });

  it.each([
    { when: 'while the wait goes on', during: false },
    { when: 'during the pass that fails', during: true },
  ])('R12 runs again at once after an edit $when, and its failures still count', async ({ during }) => {
    const given = new GivenQueue();
    given.queue.add('a');
    if (during) given.queue.add('a', 'edit');
    await given.end(failure);
    if (!during) given.queue.add('a', 'edit');
    expect(given.running.map(({ failuresBefore }) => failuresBefore)).toEqual([1]);
    await given.end();
    await given.clock.advance(1_000_000);
    expect(given.started).toEqual(['a', 'a']); // the wait that was called off starts nothing
  });

  it('R12 waits as long as the backoff of its error', async () => {
    const given = new GivenQueue({ backoff: () => ({ first: 100, most: 100 }) });
    given.queue.add('a');
    await given.end(failure);
    await given.clock.advance(49);
    expect(given.started).toEqual(['a']);
    await given.clock.advance(1);
    expect(given.started).toEqual(['a', 'a']);
  });

  it('R12 does not slow other keys, and does not count for them', async () => {
    const given = new GivenQueue();
    given.queue.add('a');
    await given.end(failure);
    given.queue.add('b');
    expect(given.running.map(({ key, failuresBefore }) => [key, failuresBefore])).toEqual([['b', 0]]);
  });

  it('R12 ends the row of failures only by a pass that does not fail', async () => {
    const given = new GivenQueue();
    given.queue.add('a');
    await given.end(failure);
    await given.clock.advance(5);
    await given.end({ again: 1_000 });
    given.queue.add('a');
    expect(given.running[0]?.failuresBefore).toBe(0);
  });
});

describe('a look later', () => {
  it.each([
    { at: 100, when: 'nothing happens', first: 100, second: undefined },
    { at: 50, when: 'a second one is earlier', first: 100, second: 50 },
    { at: 100, when: 'a second one is later', first: 100, second: 500 },
  ])('R13 comes after $at ms when $when, once', async ({ at, first, second }) => {
    const given = new GivenQueue();
    given.queue.addAfter('a', first);
    if (second !== undefined) given.queue.addAfter('a', second);
    await given.clock.advance(at - 1);
    expect(given.started).toEqual([]);
    await given.clock.advance(1);
    expect(given.started).toEqual(['a']);
    await given.drain();
    await given.clock.advance(10_000);
    expect(given.started).toEqual(['a']);
  });

  it('R13 is settled by a pass before it', async () => {
    const given = new GivenQueue();
    given.queue.add('a');
    await given.end({ again: 100 });
    await given.clock.advance(60);
    given.queue.add('a');
    await given.end({ again: 100 });
    await given.clock.advance(99);
    expect(given.started).toEqual(['a', 'a']);
    await given.clock.advance(1);
    expect(given.started).toEqual(['a', 'a', 'a']);
  });

  it('R13 is not put off by a pass that was owed already', async () => {
    const given = new GivenQueue();
    given.queue.add('a');
    given.queue.add('a');
    await given.end({ again: 10 });
    expect(given.started).toEqual(['a', 'a']);
  });
});

describe('a queue that closes', () => {
  it('R15 lets passes that run end, drops what waits, and takes nothing up again', async () => {
    const given = new GivenQueue();
    let closed = false;
    for (const key of ['a', 'b']) given.queue.add(key);
    given.queue.addAfter('c', 10);
    const closing = given.queue.close().then(() => {
      closed = true;
    });
    given.queue.add('a', 'edit');
    await settled();
    expect(closed).toBe(false);
    await given.end({ again: 1 });
    await closing;
    expect(given.clock.waiting).toBe(0);
    expect(given.queue.depth).toBe(0);
    given.queue.add('d');
    await given.clock.advance(1_000);
    expect(given.started).toEqual(['a']);
    expect(given.clock.waiting).toBe(0);
  });

  it('R15 leaves no timer behind for a pass that failed meanwhile', async () => {
    const given = new GivenQueue();
    given.queue.add('a');
    const closing = given.queue.close();
    await given.end(failure);
    await closing;
    expect(given.clock.waiting).toBe(0);
  });

  it('R15 waits for the last pass that runs, not for the first', async () => {
    const given = new GivenQueue({ workers: 2 });
    let closed = false;
    for (const key of ['a', 'b']) given.queue.add(key);
    const closing = given.queue.close().then(() => {
      closed = true;
    });
    await given.end();
    expect(closed).toBe(false);
    await given.end();
    await closing;
  });

  it('R15 closes at once when nothing runs', async () => {
    const given = new GivenQueue();
    await given.queue.close();
    expect(given.queue.active).toBe(0);
  });
});
