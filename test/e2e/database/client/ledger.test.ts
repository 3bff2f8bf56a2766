import { describe, expect, test } from 'vitest';
import { acknowledgedIn, countOf, longestPause, missingFrom, type Period, pausesIn, type Range } from './ledger.js';

/** `1-40 45-80`, as a table has it. */
function ranges(text: string): readonly Range[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((one) => one.split('-').map(Number) as unknown as Range);
}

function period(to: number, rest: Partial<Period> = {}): Period {
  return { from: to - 1000, to, acknowledged: [], pauses: [], failed: {}, ...rest };
}

test.each([
  { when: 'nothing was told', told: [], rows: '', count: 0 },
  { when: 'one second goes on from the other', told: ['1-40', '41-80'], rows: '1-80', count: 80 },
  { when: 'some were not acknowledged', told: ['1-40', '45-80'], rows: '1-40 45-80', count: 76 },
  { when: 'an answer came late', told: ['1-3 5-6', '4-4 7-9'], rows: '1-9', count: 9 },
])('what was acknowledged, when $when', ({ told, rows, count }) => {
  const found = acknowledgedIn(told.map((one, second) => period(second * 1000, { acknowledged: ranges(one) })));
  expect(found).toEqual(ranges(rows));
  expect(countOf(found)).toBe(count);
});

test.each([
  { when: 'all are there', wanted: '1-9', there: '1-9', missing: '' },
  { when: 'more are there', wanted: '3-5', there: '1-9', missing: '' },
  { when: 'none is there', wanted: '1-9', there: '', missing: '1-9' },
  { when: 'the first one is not', wanted: '1-9', there: '2-9', missing: '1-1' },
  { when: 'the last one is not', wanted: '1-9', there: '1-8', missing: '9-9' },
  { when: 'one between is not', wanted: '1-9', there: '1-4 6-9', missing: '5-5' },
  { when: 'several are not, of several', wanted: '1-4 6-9', there: '2-7', missing: '1-1 8-9' },
])('what is missing, when $when', ({ wanted, there, missing }) => {
  expect(missingFrom(ranges(there), ranges(wanted))).toEqual(ranges(missing));
});

describe('pauses', () => {
  const periods = [period(2000, { last: 1990 }), period(9000, { pauses: ranges('1990-8500 8500-8900'), last: 8990 })];

  test('are those that ended since then', () => {
    expect(pausesIn(periods, 8600)).toContainEqual([8500, 8900]);
    expect(pausesIn(periods, 8600)).not.toContainEqual([1990, 8500]);
    expect(longestPause(periods, 3000)).toBe(6510);
  });

  test('count before they have ended', () => {
    expect(longestPause([...periods, period(20_000, { last: 8990 })], 9000)).toBe(11_010);
  });

  test('are none before the first row', () => {
    expect(longestPause([period(2000)], 0)).toBe(0);
  });
});
