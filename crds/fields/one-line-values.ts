import type { Rule } from '../schema/index.js';

/** The expression is valid in RE2 and in JavaScript. */
const CONTROL_CHARACTER = '[\\x00-\\x1f\\x7f]';

/** Refuses values of a map that a properties file cannot have on one line. */
export const ONE_LINE_VALUES: Rule = {
  rule: `!self.exists(key, self[key].matches(r'${CONTROL_CHARACTER}'))`,
  message: 'must not have a line break or another control character in a value; write each value on one line',
  holds: (all: Readonly<Record<string, string>>) =>
    !Object.values(all).some((value) => new RegExp(CONTROL_CHARACTER).test(value)),
};
