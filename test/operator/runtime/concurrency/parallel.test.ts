import { expect, test } from 'vitest';
import { allInParallel, inParallel } from '../../../../operator/runtime/concurrency/parallel.js';

const numbers = Array.from({ length: 100 }, (_, index) => index);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('limits the concurrency and returns the results in order', async () => {
  let underWay = 0;
  let most = 0;
  const outcomes = await inParallel(numbers, async (number) => {
    most = Math.max(most, ++underWay);
    for (let turns = number % 3; turns >= 0; turns--) await turn();
    underWay--;
    if (number === 7) throw new Error('seven');
    return number;
  });
  expect(most).toBe(16);
  const expected = numbers.map((value) => ({ status: 'fulfilled', value }));
  expect(outcomes).toEqual(expected.with(7, { status: 'rejected', reason: new Error('seven') } as never));
});

test('of what may not fail the first in order tells, once all has come to its end', async () => {
  const ended: number[] = [];
  const work = async (number: number) => {
    if (number < 50) await turn();
    ended.push(number);
    if (number === 3 || number === 60) throw new Error(`number ${number}`);
  };
  await expect(allInParallel(numbers, work)).rejects.toThrow('number 3');
  expect(ended).toHaveLength(100);
  expect(await allInParallel([], work)).toEqual([]);
});
