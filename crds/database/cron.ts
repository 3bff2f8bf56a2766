/**
 * A schedule of five fields, as Kubernetes and cron read it: minute, hour, day of the month, month, day of the week.
 * Each is `*`, a number, a name, a range or a list of these, with a step if need be.
 * @see https://man7.org/linux/man-pages/man5/crontab.5.html
 */
export const CRON = `^${[
  field('[0-5]?[0-9]'),
  field('[01]?[0-9]|2[0-3]'),
  field('0?[1-9]|[12][0-9]|3[01]'),
  field('0?[1-9]|1[0-2]|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC'),
  field('[0-7]|SUN|MON|TUE|WED|THU|FRI|SAT'),
].join(' ')}$`;

function field(value: string): string {
  const part = `([*]|(${value})(-(${value}))?)(/[1-9][0-9]?)?`;
  return `${part}(,${part})*`;
}
