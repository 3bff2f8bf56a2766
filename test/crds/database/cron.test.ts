import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backwardRange, databaseSpec, isNeverDue, withDefaults } from '../../../crds/index.js';
import { isSchedule, nextDue } from '../../../operator/schedule/schedule.js';
import { databaseProblems } from '../../../src/database/checks.js';

const now = Date.parse('2026-01-01T00:00:00Z');

describe('line 13: a schedule', () => {
  it.each([
    ...['0 0 30 2 *', '0 0 31 02 *', '0 0 30,31 FEB *', '0 0 31 4,6 *', '0 0 31 2,4,6,9,11 *', '0 0 31 SEP,11 *'],
    ...['0 0 30-31 2 *', '0 0 31 4-6/2 *', '0 0 31/1 2 *'],
  ])('is never due: %s', (schedule) => {
    expect(isNeverDue(schedule)).toBe(true);
    const backup = { schedule, target: { volume: { size: '2Gi' } } };
    expect(databaseProblems(withDefaults(databaseSpec, { storage: { size: '1Gi' }, backup }))).toEqual([
      expect.stringMatching(/^backup\.schedule: Invalid value: /),
    ]);
  });

  it('is never due exactly if no day of it comes', () => {
    const value = (most: number) => fc.integer({ min: 1, max: most });
    const part = (most: number) =>
      fc.oneof(
        { weight: 3, arbitrary: value(most).map(String) },
        fc.tuple(value(most), value(most)).map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`),
        fc.tuple(value(most), value(most)).map(([from, by]) => `${from}-${most}/${by}`),
        fc.constant('*'),
      );
    const days = fc.oneof({ weight: 2, arbitrary: fc.constantFrom('29', '30', '31', '30,31', '29-31') }, part(31));
    const months = fc.oneof({ weight: 2, arbitrary: fc.constantFrom('2', 'FEB', '4,6', 'SEP', '2,11') }, part(12));
    const schedule = fc.tuple(days, months, fc.constantFrom('*', '*', '*', '1', 'FRI', '1-5'));
    const isRight = ([day, month, weekday]: readonly string[]) => {
      const written = `0 3 ${day} ${month} ${weekday}`;
      if (backwardRange(written) !== undefined || !isSchedule(written)) return;
      expect([written, isNeverDue(written)]).toEqual([written, nextDue(written, now) === undefined]);
    };
    fc.assert(fc.property(schedule, isRight), { numRuns: 150 });
  });
});
