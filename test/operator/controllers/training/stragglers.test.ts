import { describe, expect, test } from 'vitest';
import { stragglersIn } from '../../../../operator/controllers/training/faults/stragglers.js';
import { nextMemory } from '../../../../operator/controllers/training/next-memory.js';
import { memory, situation, three } from './given-training.js';

type Changes = Parameters<typeof situation>[0];
/** Seconds of computation of each rank. */
const taking = (...seconds: readonly number[]) =>
  three(Object.fromEntries(seconds.map((computeSeconds, index) => [index, { computeSeconds }])));
const slow = (changes: Changes) => nextMemory(situation(changes)).slowSince;

describe('a slow rank', () => {
  test.each<[string, Changes, Readonly<Record<string, number>>]>([
    ['none if all are alike', { report: taking(1, 1.1, 0.9) }, {}],
    ['above the factor of the median', { report: taking(1, 1.6, 1) }, { 'uid-1-0': 100 }],
    ['not at the factor of the median', { report: taking(1, 1.5, 1) }, {}],
    ['by another factor', { spec: { health: { straggler: { factor: 2 } } }, report: taking(1, 1.6, 1) }, {}],
    ['none without measurements', { report: three() }, {}],
    [
      'since the step at which it began',
      { memory: memory({ slowSince: { 'uid-1-0': 70 } }), report: taking(1, 1.6, 1) },
      { 'uid-1-0': 70 },
    ],
    [
      'no more if it is as fast as others',
      { memory: memory({ slowSince: { 'uid-1-0': 70 } }), report: taking(1, 1, 1) },
      {},
    ],
    [
      'still while it says nothing',
      { memory: memory({ slowSince: { 'uid-1-0': 70 } }), report: undefined },
      { 'uid-1-0': 70 },
    ],
    [
      'from the restored step after a rollback',
      { memory: memory({ slowSince: { 'uid-1-0': 150 } }), report: taking(1, 1.6, 1) },
      { 'uid-1-0': 100 },
    ],
    ['none with recovery Restart', { spec: { recovery: 'Restart' }, report: taking(1, 9, 1) }, {}],
  ])('%s', (_, changes, expected) => {
    expect(slow(changes)).toEqual(expected);
  });

  const since = (step: number) =>
    situation({ report: taking(1, 1.6, 1), memory: memory({ slowSince: { 'uid-1-0': step } }) });
  test.each([
    [81, []],
    [80, ['ranking-1-0']],
  ])('that is slow since step %d of 100 is a straggler: %j', (step, expected) => {
    const given = since(step);
    expect(stragglersIn(given, nextMemory(given).slowSince).map(({ name }) => name)).toEqual(expected);
  });

  test('is no fault unless it is to be replaced', () => {
    const faults = (action: string) =>
      nextMemory(
        situation({
          ...{ spec: { health: { straggler: { action } } }, report: taking(1, 1.6, 1) },
          memory: memory({ slowSince: { 'uid-1-0': 80 } }),
        }),
      ).faults.map(({ id, kind, grade, message }) => ({ id, kind, grade, message }));
    expect(faults('Tell')).toEqual([]);
    expect(faults('Replace')).toEqual([
      {
        ...{ id: 'pod-uid-1-0', kind: 'Straggler', grade: 'Pod' },
        message:
          'Pod ranking-1-0 on node node-1 computes more than 1.5 times as long as the median of all ranks since step 80',
      },
    ]);
  });
});
