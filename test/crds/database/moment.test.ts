import { expect, test } from 'vitest';
import { isMoment } from '../../../crds/database/moment.js';
import { patternOf } from '../../../crds/schema/rule.js';

const pattern = new RegExp(patternOf(isMoment) ?? expect.fail(), 'u');
const two = (number: number) => String(number).padStart(2, '0');
const upTo = (last: number) => Array.from({ length: last + 1 }, (_, index) => index);

/** Whether the calendar has the day. JavaScript continues into the next month if it does not. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T12:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

test.each([1000, 1100, 1200, 1900, 2000, 2026, 2028, 2100, 2400, 9996, 9999])(
  'a moment of the year %i is of a day that the calendar has',
  (year) => {
    const days = upTo(13).flatMap((month) => upTo(32).map((day) => `${year}-${two(month)}-${two(day)}`));
    expect(days.filter((day) => pattern.test(`${day}T12:00:00Z`))).toEqual(days.filter(isDay));
  },
);

test('JavaScript parses each accepted time', () => {
  const times = upTo(99)
    .map(two)
    .flatMap((number) => [`T${number}:59:59Z`, `T12:${number}:00.5Z`, `T12:00:${number}Z`, `T12:00:00+${number}:30`]);
  const taken = times.map((time) => `2026-11-21${time}`).filter((moment) => pattern.test(moment));
  expect(taken).toHaveLength(24 + 60 + 60 + 14);
  expect(taken.filter((moment) => Number.isNaN(Date.parse(moment)))).toEqual([]);
});
