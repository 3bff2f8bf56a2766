import { matching } from '../schema/index.js';

const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/**
 * The five fields: minute, hour, day of the month, month, day of the week. Each has numbers, steps and perhaps names.
 */
const PATTERN = `^${[
  field('[0-5]?[0-9]', '[1-9]|[1-5][0-9]'),
  field('[01]?[0-9]|2[0-3]', '[1-9]|1[0-9]|2[0-3]'),
  field('0?[1-9]|[12][0-9]|3[01]', '[1-9]|[12][0-9]|3[01]'),
  field('0?[1-9]|1[0-2]', '[1-9]|1[0-2]', months),
  field('[0-7]', '[1-7]', days),
].join(' ')}$`;

/** A list of `*`, values and ranges. Only `*` and ranges can have a step. */
function field(number: string, step: string, names: readonly string[] = []): string {
  const name = names.join('|');
  const values = [`(${number})`, ...(name ? [`(${name})`] : [])];
  const ranges = values.map((value) => `${value}-${value}`);
  const part = `([*]|${ranges.join('|')})(/(${step}))?|${values.join('|')}`;
  return `(${part})(,(${part}))*`;
}

/**
 * A rule for a cron schedule of five fields. It accepts a range that ends before it starts, because the check is too
 * expensive for CEL: use {@link backwardRange}.
 * @see https://man7.org/linux/man-pages/man5/crontab.5.html
 */
export const isCron = matching(
  PATTERN,
  'must be a schedule of five fields (minute hour day month weekday) in UTC, such as 0 3 * * * for 03:00 each day',
);

/** The first range of a schedule that ends before it starts, such as `22-5`. */
export function backwardRange(schedule: string): string | undefined {
  const place = (end: string | undefined) => Math.max(Number(end) || 0, [...days, ...months].indexOf(end ?? ''));
  const ranges = [...schedule.matchAll(/(\w+)-(\w+)/g)];
  return ranges.find(([, first, last]) => place(first) > place(last))?.[0];
}
