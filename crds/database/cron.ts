import { matching } from '../schema/index.js';

const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Minute, hour, day of the month, month, day of the week: the numbers of each, its steps, and its names if it has some. */
const PATTERN = `^${[
  field('[0-5]?[0-9]', '[1-9]|[1-5][0-9]'),
  field('[01]?[0-9]|2[0-3]', '[1-9]|1[0-9]|2[0-3]'),
  field('0?[1-9]|[12][0-9]|3[01]', '[1-9]|[12][0-9]|3[01]'),
  field('0?[1-9]|1[0-2]', '[1-9]|1[0-2]', months),
  field('[0-7]', '[1-7]', days),
].join(' ')}$`;

/** A list of `*`, values and ranges; only what is several values has a step. */
function field(number: string, step: string, names: readonly string[] = []): string {
  const name = names.join('|');
  const values = [`(${number})`, ...(name ? [`(${name})`] : [])];
  const ranges = values.map((value) => `${value}-${value}`);
  const part = `([*]|${ranges.join('|')})(/(${step}))?|${values.join('|')}`;
  return `(${part})(,(${part}))*`;
}

/**
 * A schedule of five fields, as cron reads it. A range that ends before it begins takes {@link backwardRange}: CEL would
 * have to spend too much on it.
 * @see https://man7.org/linux/man-pages/man5/crontab.5.html
 */
export const isCron = matching(
  PATTERN,
  'is no schedule; give five fields (minute hour day month weekday) in UTC, as 0 3 * * * for 03:00 each day',
);

/** The first range of a schedule that ends before it begins, as `22-5`. */
export function backwardRange(schedule: string): string | undefined {
  const place = (end: string | undefined) => Math.max(Number(end) || 0, [...days, ...months].indexOf(end ?? ''));
  const ranges = [...schedule.matchAll(/(\w+)-(\w+)/g)];
  return ranges.find(([, first, last]) => place(first) > place(last))?.[0];
}
