import { expect, test } from 'vitest';
import { printable } from '../../../operator/telemetry/printable-text.js';

test.each([
  { is: 'naïve 東京 🚀 "a" \\', when: 'it is text', line: 'naïve 東京 🚀 "a" \\' },
  {
    is: '\\u001b[2J\\u001b]0;root\\u0007',
    when: 'it would clear the screen, or name the window',
    line: '\x1b[2J\x1b]0;root\x07',
  },
  { is: 'a\\u009b2J', when: 'it has one of the second control characters', line: 'a\x9b2J' },
  { is: 'all is well\\u000d\\u000aall is', when: 'it would begin a line of its own', line: 'all is well\r\nall is' },
  { is: 'a\\u2028b\\u2029', when: 'it has an end of line of Unicode', line: 'a\u2028b\u2029' },
  { is: 'reco:\\u202e2.1', when: 'it would turn the direction of writing', line: 'reco:\u202e2.1' },
])('is $is when $when', ({ is, line }) => {
  expect(printable(line)).toBe(is);
});
