import { expect, test } from 'vitest';
import { UrgencyQueue } from '../../../../operator/engines/certificates/urgency-queue.js';

const run = async (queue: UrgencyQueue, deadlines: readonly number[]) => {
  const started: number[] = [];
  const task = (deadline: number) => queue.run(deadline, async () => void started.push(deadline));
  await Promise.all(deadlines.map(task));
  return started;
};

test('line 2: of the tasks that wait, the one with the earliest deadline is next', async () => {
  const deadlines = Array.from({ length: 1000 }, (_, index) => (index * 7919) % 1000);
  const started = await run(new UrgencyQueue(1), deadlines);
  expect(started).toEqual(deadlines.toSorted((one, other) => one - other));
});

test('at most the limit run at a time, and a failure frees its place', async () => {
  const queue = new UrgencyQueue(2);
  let [running, most] = [0, 0];
  const failing = async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    throw new Error('failed');
  };
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((deadline) => queue.run(deadline, failing)));
  expect([results.map(({ status }) => status), most, running]).toEqual([Array(5).fill('rejected'), 2, 0]);
  expect(await run(queue, [3, 1])).toEqual([1, 3]);
});
