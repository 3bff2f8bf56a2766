import { expect, test } from 'vitest';
import { secondsOf } from '../../../crds/index.js';

test.each([
  [90, '90s'],
  [600, '10m'],
  [5400, '1h30m'],
  [3661, '1h1m1s'],
  [0, '0s'],
])('%d seconds are %s', (seconds, text) => {
  expect(secondsOf(text)).toBe(seconds);
});

test.each(['', '10', 'm', '1d', '30m1h', '1.5h', '-1s', ' 1s'])('%j is no time', (text) => {
  expect(() => secondsOf(text)).toThrow(`as 90s or 1h30m, got ${JSON.stringify(text)}`);
});
