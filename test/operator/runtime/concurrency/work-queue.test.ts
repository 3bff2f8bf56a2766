import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Priority } from '../../../../operator/runtime/concurrency/work-queue.js';
import { settled } from '../../fake-clock.js';
import { GivenQueue } from '../given/queue.js';

const failure = new Error('the server is away');

describe('a key', () => {
  it('R10 added any number of times while it waits makes one pass', async () => {
    const given = new GivenQueue({ open: false });
    for (let n = 0; n < 100; n++) given.queue.add('a');
    expect(given.queue.depth).toBe(1);
    given.queue.open();
    expect(await given.drain()).toEqual(['a']);
  });

  it('R10 added any number of times during its pass makes exactly one more', async () => {
    const given = new GivenQueue({ workers: 4 });
    given.queue.add('a');
    for (let n = 0; n < 100; n++) given.queue.add('a');
    expect(given.started).toEqual(['a']);
    expect(await given.drain()).toEqual(['a', 'a']);
  });

  it('R10 has never two passes at once, and none of it is lost', async () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      priority: fc.constantFrom<Priority>('edit', 'event', 'routine'),
      next: fc.constantFrom('nothing', 'end', 'fail', 'wait'),
    });
    const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const given = new GivenQueue({ workers: 2 });
      const addedAfterStart = new Set<string>();
      for (const { key, priority, next } of steps) {
        const passes = given.started.length;
        addedAfterStart.add(key);
        given.queue.add(key, priority);
        if (given.running.length > 0 && next === 'end') await given.end();
        if (given.running.length > 0 && next === 'fail') await given.end(failure);
        if (next === 'wait') await given.clock.advance(2_000_000);
        for (const started of given.started.slice(passes)) addedAfterStart.delete(started);
      }
      const before = given.started.length;
      await given.drain();
      await given.clock.advance(2_000_000);
      await given.drain();
      expect([...addedAfterStart].filter((key) => !given.started.slice(before).includes(key))).toEqual([]);
      expect(given.queue).toMatchObject({ depth: 0, active: 0 });
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('R10 is retried even if its failure cannot be reported, and its worker is free', async () => {
    const given = new GivenQueue();
    given.telling = Promise.reject(new Error('nobody hears it'));
    given.telling.catch(() => {});
    given.queue.add('a');
    given.queue.add('b');
    await given.end(failure);
    expect(given.started).toEqual(['a', 'b']);
    await given.end();
    await given.clock.advance(2_000_000);
    expect(given.started).toEqual(['a', 'b', 'a']);
    await given.drain();
  });

  it('R10 that nothing is left to do for is forgotten', async () => {
    const given = new GivenQueue();
    given.queue.add('a');
    await given.drain();
    expect(given.queue.size).toBe(0);
  });

  it('R10 is in progress until its failure is reported', async () => {
    const given = new GivenQueue({ workers: 2 });
    let told = () => {};
    given.telling = new Promise((resolve) => {
      told = resolve;
    });
    given.queue.add('a');
    await given.end(failure);
    given.queue.add('a', 'edit');
    await settled();
    expect(given.started).toEqual(['a']);
    told();
    await settled();
    expect(given.started).toEqual(['a', 'a']);
    expect(given.told).toEqual(['a: the server is away']);
  });
});

describe('a line of keys', () => {
  it.each([
    {
      order: ['edited', 'changed', 'listed'],
      when: 'all wait',
      adds: [
        ['listed', 'routine'],
        ['changed', 'event'],
        ['edited', 'edit'],
      ],
    },
    {
      order: ['b', 'a'],
      when: 'a later add is more urgent',
      adds: [
        ['a', 'routine'],
        ['b', 'routine'],
        ['b', 'edit'],
      ],
    },
    {
      order: ['a', 'b'],
      when: 'a later add is less urgent',
      adds: [
        ['a', 'edit'],
        ['b', 'event'],
        ['a', 'routine'],
      ],
    },
    {
      order: ['a', 'b', 'c'],
      when: 'all are alike',
      adds: [
        ['a', 'event'],
        ['b', 'event'],
        ['c', 'event'],
        ['a', 'event'],
      ],
    },
    {
      order: ['b', 'c', 'a'],
      when: 'a raised one goes behind those that were there',
      adds: [
        ['a', 'routine'],
        ['b', 'event'],
        ['c', 'event'],
        ['a', 'event'],
      ],
    },
  ] as { order: string[]; when: string; adds: [string, Priority][] }[])(
    'R11 goes $order when $when',
    async ({ order, adds }) => {
      const given = new GivenQueue({ open: false });
      for (const [key, priority] of adds) given.queue.add(key, priority);
      given.queue.open();
      expect(await given.drain()).toEqual(order);
    },
  );

  it('R11 keeps an add during the reconcile', async () => {
    const given = new GivenQueue();
    given.queue.add('a');
    given.queue.add('b', 'event');
    given.queue.add('a', 'edit');
    expect(await given.drain()).toEqual(['a', 'a', 'b']);
  });

  it.each(['event', 'routine'] as const)(
    'R14 edits without end do not starve a key of priority %s',
    async (priority) => {
      const given = new GivenQueue();
      given.queue.add('hot', 'edit');
      given.queue.add('cold', priority);
      for (let n = 0; n < 20 && !given.started.includes('cold'); n++) {
        given.queue.add('routine work', 'routine');
        given.queue.add('hot', 'edit');
        await given.end();
      }
      expect(given.started).toContain('cold');
    },
  );

  it('R14 a hot key queues behind waiting keys', async () => {
    const given = new GivenQueue();
    given.queue.add('hot');
    given.queue.add('a');
    given.queue.add('b');
    given.queue.add('hot');
    expect(await given.drain()).toEqual(['hot', 'a', 'b', 'hot']);
  });

  it('R14 is taken up by all workers when it opens', () => {
    const given = new GivenQueue({ workers: 2, open: false });
    for (const key of ['a', 'b', 'c']) given.queue.add(key);
    given.queue.open();
    expect(given.queue).toMatchObject({ active: 2, depth: 1 });
  });

  it('has as many passes at a time as there are workers, and a slow one blocks no other', async () => {
    const given = new GivenQueue({ workers: 2 });
    for (const key of ['slow', 'a', 'b', 'c']) given.queue.add(key);
    expect(given.queue).toMatchObject({ active: 2, depth: 2 });
    for (const key of ['a', 'b', 'c']) await given.end({}, key);
    expect(given.running.map(({ key }) => key)).toEqual(['slow']);
  });
});

describe('the causes of a reconcile', () => {
  const causes = { timer: 'timer', retry: 'retry' };

  it('are those of all adds while it waits, each once and in their order', async () => {
    const given = new GivenQueue({ open: false, causes });
    for (const cause of ['edit of generation 2', 'Deployment team/web', 'edit of generation 2'])
      given.queue.add('a', 'event', cause);
    given.queue.open();
    await given.drain();
    expect(given.causes).toEqual([['edit of generation 2', 'Deployment team/web']]);
  });

  it('are those since the reconcile before', async () => {
    const given = new GivenQueue({ causes });
    given.queue.add('a', 'event', 'one');
    given.queue.add('a', 'event', 'two');
    await given.drain();
    expect(given.causes).toEqual([['one'], ['two']]);
  });

  it('are eight at most, of which the last stands for all others', async () => {
    const given = new GivenQueue({ open: false, causes });
    for (let n = 0; n < 100; n++) given.queue.add('a', 'event', `cause ${n}`);
    given.queue.open();
    await given.drain();
    expect(given.causes[0]).toEqual([...Array.from({ length: 7 }, (_, n) => `cause ${n}`), 'others']);
  });

  it('tell of a time that is over, and of a retry', async () => {
    const given = new GivenQueue({ causes });
    given.queue.add('a', 'event', 'one');
    await given.end({ again: 1_000 });
    await given.clock.advance(1_000);
    await given.end(failure);
    await given.clock.advance(2_000);
    expect(given.causes).toEqual([['one'], ['timer'], ['retry']]);
  });

  it('are not kept unless they are asked for', async () => {
    const given = new GivenQueue({});
    given.queue.add('a', 'event', 'one');
    await given.drain();
    expect(given.causes).toEqual([undefined]);
  });
});
