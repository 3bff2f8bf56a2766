import { matching, type Rule } from '../schema/index.js';

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

/** The days that a month can have, from January to December. */
const lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** February, which has no 30th either, is one of them. */
const shortMonths = lengths.flatMap((length, index) => (length < 31 ? [index + 1] : []));
const numbered = (month: number) => `0?${month}|${months[month - 1]}`;

/**
 * A rule that refuses the usual schedules of days that do not exist, such as February 30. The check of every schedule is
 * too expensive for CEL: use {@link isNeverDue}.
 */
export const isSometimesDue: Rule = {
  rule: `!self.matches(r'^[^ ]+ [^ ]+ (${only('30|31')} ${only(numbered(2))}|${only('31')} ${only(shortMonths.map(numbered).join('|'))}) [*]$')`,
  message: 'must name a day that exists, so that a backup is due sometimes; use a day such as 1 or 28',
};

/** A list of values from a set, without ranges. */
function only(values: string): string {
  return `(${values})(,(${values}))*`;
}

/** True if a valid schedule names only days that do not exist, such as `0 3 30 2 *`. */
export function isNeverDue(schedule: string): boolean {
  const [, , ofMonth = '*', ofYear = '*', ofWeek = '*'] = schedule.split(' ');
  // With both, a day of either is due.
  if (ofWeek !== '*') return false;
  const first = Math.min(...valuesOf(ofMonth, 31));
  return valuesOf(ofYear, 12).every((month) => first > (lengths[month - 1] ?? 31));
}

/** The values that a field of a schedule names, from 1 on. */
function valuesOf(field: string, last: number): readonly number[] {
  return field.split(',').flatMap((part) => {
    const [values = '', step = '1'] = part.split('/');
    const [from = '', to = from] = values === '*' ? ['1', `${last}`] : values.split('-');
    const [start, end] = [from, to].map((value) => Number(value) || months.indexOf(value) + 1);
    const every = Array.from({ length: last }, (_, index) => index + 1);
    return every.filter((n) => n >= (start ?? 1) && n <= (end ?? last) && (n - (start ?? 1)) % Number(step) === 0);
  });
}

/** The first range of a schedule that ends before it starts, such as `22-5`. */
export function backwardRange(schedule: string): string | undefined {
  const place = (end: string | undefined) => Math.max(Number(end) || 0, [...days, ...months].indexOf(end ?? ''));
  const ranges = [...schedule.matchAll(/(\w+)-(\w+)/g)];
  return ranges.find(([, first, last]) => place(first) > place(last))?.[0];
}
