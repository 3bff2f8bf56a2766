import { expect, test } from 'vitest';
import { lossOf, recoveryIn, stepsIn } from './steps.js';

/** Two ranks log a step each tenth of a second. @param steps of rank 0, with the tenth at which each was done */
const log = (...steps: readonly (readonly [step: number, tenth: number])[]) =>
  steps.flatMap(([step, tenth]) => [0, 1].map((rank) => `STEP ${step} ${rank} ${tenth / 10}01 0.${step}`)).join('\n');

test('the steps of all Pods are in the order of their time, whatever else they log', () => {
  expect(stepsIn('STEP 2 0 10.500 nan\nJoined generation 2\nSTEP 1 1 10.250 0.5\nSTEP 3 0 10.7')).toEqual([
    { step: 1, rank: 1, time: 10_250, loss: 0.5 },
    { step: 2, rank: 0, time: 10_500, loss: Number.NaN },
  ]);
});

test.each([
  { seconds: 2, next: 4, lost: 0, when: 'a peer has the state', later: [[4, 51] as const, [5, 52] as const] },
  { seconds: 2, next: 2, lost: 2, when: 'a checkpoint has it', later: [[2, 51] as const, [3, 52] as const] },
  {
    ...{ seconds: 2, next: 3, lost: 1, when: 'a longer pause follows' },
    later: [[3, 41] as const, [4, 61] as const],
  },
  {
    ...{ seconds: 4, next: 6, lost: 0, when: 'the longest pause is a later one' },
    later: [[4, 32] as const, [5, 33] as const, [6, 73] as const],
  },
])('$lost steps are lost, and $seconds s pass, when $when', ({ later, seconds, next, lost }) => {
  const found = recoveryIn(stepsIn(log([1, 11], [2, 21], [3, 31], ...later)), 3_150);
  expect({ ...found, seconds: Math.round(found.seconds) }).toEqual({ seconds, next, lost });
});

test('there is no recovery without a step after the fault', () => {
  expect(() => recoveryIn(stepsIn(log([1, 11])), 5_000)).toThrow('none on both sides of the fault');
});

test('the loss of a step is that of its last time, over all ranks', () => {
  const steps = stepsIn('STEP 7 0 1.0 0.9\nSTEP 7 0 2.0 0.1\nSTEP 7 1 2.0 0.3');
  expect(lossOf(steps, 7)).toBeCloseTo(0.2);
  expect(() => lossOf(steps, 8)).toThrow('no rank did step 8: the last one is 7');
});
