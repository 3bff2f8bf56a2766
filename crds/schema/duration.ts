import { string } from './scalars.js';
import type { FieldOptions, FieldSchema } from './schema.js';

/** The minimum and the maximum of a duration, both included, such as `1s` and `24h`. */
export interface DurationLimits {
  readonly minimum: string;
  readonly maximum: string;
}

/** Hours, minutes and seconds, in this order, each at most once. */
const PATTERN = '^([0-9]{1,4}h)?([0-9]{1,5}m)?([0-9]{1,7}s)?$';

/** A duration, such as `90s`, `10m` or `1h30m`. {@link secondsOf} converts it to seconds. */
export function duration<D extends string | undefined = undefined, O extends true | false = false>(
  description: string,
  { minimum, maximum, rules = [], ...options }: DurationLimits & Omit<FieldOptions<D, O, false>, 'nullable'>,
): FieldSchema<string, string, D, O, false> {
  const inRange = {
    rule: `duration(self) >= duration('${minimum}') && duration(self) <= duration('${maximum}')`,
    message: `must be from ${minimum} to ${maximum}; use a duration such as 90s, 10m or 1h30m`,
  };
  return string(description, { ...options, minLength: 2, maxLength: 16, pattern: PATTERN, rules: [inRange, ...rules] });
}

const SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

/**
 * The number of seconds in a duration.
 * @throws {Error} if the text is not a duration
 */
export function secondsOf(text: string): number {
  if (text === '' || !new RegExp(PATTERN).test(text)) {
    throw new Error(`a duration must be hours, minutes and seconds, such as 90s or 1h30m, got ${JSON.stringify(text)}`);
  }
  const parts = [...text.matchAll(/(\d+)([hms])/g)];
  return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (SECONDS[unit] ?? 0), 0);
}
