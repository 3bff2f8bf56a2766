import { string } from './scalars.js';
import type { FieldOptions, FieldSchema } from './schema.js';

/** The shortest and the longest time that a field takes, both included, as `1s` and `24h`. */
export interface DurationLimits {
  readonly minimum: string;
  readonly maximum: string;
}

/** Hours, minutes and seconds, in this order, each once at the most. */
const PATTERN = '^([0-9]{1,4}h)?([0-9]{1,5}m)?([0-9]{1,7}s)?$';

/** A time as people write it: `90s`, `10m` or `1h30m`. {@link secondsOf} reads it. */
export function duration<D extends string | undefined = undefined, O extends true | false = false>(
  description: string,
  { minimum, maximum, rules = [], ...options }: DurationLimits & Omit<FieldOptions<D, O, false>, 'nullable'>,
): FieldSchema<string, string, D, O, false> {
  const inRange = {
    rule: `duration(self) >= duration('${minimum}') && duration(self) <= duration('${maximum}')`,
    message: `is not between ${minimum} and ${maximum}; write a time as 90s, 10m or 1h30m`,
  };
  return string(description, { ...options, minLength: 2, maxLength: 16, pattern: PATTERN, rules: [inRange, ...rules] });
}

const SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

/**
 * The seconds of a time that the schema took.
 * @throws {Error} when it is none
 */
export function secondsOf(text: string): number {
  if (text === '' || !new RegExp(PATTERN).test(text)) {
    throw new Error(`a time is hours, minutes and seconds, as 90s or 1h30m, got ${JSON.stringify(text)}`);
  }
  const parts = [...text.matchAll(/(\d+)([hms])/g)];
  return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (SECONDS[unit] ?? 0), 0);
}
