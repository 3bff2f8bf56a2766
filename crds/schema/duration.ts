import { string } from './scalars.js';
import type { FieldOptions, FieldSchema } from './schema.js';

/** The minimum and the maximum of a duration, both included, such as `1s` and `24h`. */
export interface DurationLimits {
  readonly minimum: string;
  /** With a maximum in days, such as `90d`, users can write days too. */
  readonly maximum: string;
}

/** Hours, minutes and seconds, in this order, each at most once. */
const PATTERN = '^([0-9]{1,4}h)?([0-9]{1,5}m)?([0-9]{1,7}s)?$';
/** Whole days, or hours, minutes and seconds. */
const WITH_DAYS = '^([0-9]{1,4}d|([0-9]{1,5}h)?([0-9]{1,5}m)?([0-9]{1,7}s)?)$';

/** A duration, such as `90s`, `10m` or `1h30m`. {@link secondsOf} converts it to seconds. */
export function duration<D extends string | undefined = undefined, O extends true | false = false>(
  description: string,
  { minimum, maximum, rules = [], ...options }: DurationLimits & Omit<FieldOptions<D, O, false>, 'nullable'>,
): FieldSchema<string, string, D, O, false> {
  const hasDays = maximum.endsWith('d');
  const examples = hasDays ? '90d, 36h or 1h30m' : '90s, 10m or 1h30m';
  const inRange = {
    rule: hasDays
      ? `${celSeconds('self')} >= ${secondsOf(minimum)} && ${celSeconds('self')} <= ${secondsOf(maximum)}`
      : `duration(self) >= duration('${minimum}') && duration(self) <= duration('${maximum}')`,
    message: `must be from ${minimum} to ${maximum}; use a duration such as ${examples}`,
    ...(hasDays && { holds: (text: string) => isWithin({ minimum, maximum }, text) }),
  };
  const pattern = hasDays ? WITH_DAYS : PATTERN;
  return string(description, { ...options, minLength: 2, maxLength: 16, pattern, rules: [inRange, ...rules] });
}

/**
 * The CEL expression of the seconds of a duration that can be in days, which CEL does not know. A text that it built from
 * the number of days would exceed the cost budget of the API server, because its length has no limit.
 * @param path the CEL expression of the text
 */
export function celSeconds(path: string): string {
  const days = `int(${path}.substring(0, ${path}.size() - 1))`;
  return `(${path}.endsWith('d') ? ${days} * 86400 : duration(${path}).getSeconds())`;
}

/** Of a text that is no duration, the pattern is the problem. */
function isWithin({ minimum, maximum }: DurationLimits, text: string): boolean {
  if (!new RegExp(WITH_DAYS).test(text)) return true;
  const seconds = secondsOf(text);
  return seconds >= secondsOf(minimum) && seconds <= secondsOf(maximum);
}

const SECONDS: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60, s: 1 };

/**
 * The number of seconds in a duration.
 * @throws {Error} if the text is not a duration
 */
export function secondsOf(text: string): number {
  if (text === '' || !new RegExp(WITH_DAYS).test(text)) {
    throw new Error(
      `a duration must be days, or hours, minutes and seconds, such as 90d, 90s or 1h30m, got ${JSON.stringify(text)}`,
    );
  }
  const parts = [...text.matchAll(/(\d+)([dhms])/g)];
  return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (SECONDS[unit] ?? 0), 0);
}
