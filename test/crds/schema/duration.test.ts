import { expect, test } from 'vitest';
import { duration, secondsOf } from '../../../crds/index.js';
import { valueProblems } from '../../../crds/schema/value-problems.js';

test.each([
  [90, '90s'],
  [600, '10m'],
  [5400, '1h30m'],
  [3661, '1h1m1s'],
  [0, '0s'],
  [7_776_000, '90d'],
])('%d seconds are %s', (seconds, text) => {
  expect(secondsOf(text)).toBe(seconds);
});

test.each(['', '10', 'm', '1d12h', '1.5d', '30m1h', '1.5h', '-1s', ' 1s'])('%j is no time', (text) => {
  expect(() => secondsOf(text)).toThrow(`as 90d, 90s or 1h30m, got ${JSON.stringify(text)}`);
});

test.each([
  ['36h', true],
  ['3650d', true],
  ['1d', true],
  ['3651d', false],
  ['4m59s', false],
])('a duration from 5m to 3650d can be %s: %s', (text, isValid) => {
  const { json } = duration('How long.', { minimum: '5m', maximum: '3650d' });
  const problem = 'must be from 5m to 3650d; use a duration such as 90d, 36h or 1h30m';
  expect(valueProblems(json, text)).toEqual(isValid ? [] : [expect.stringContaining(problem)]);
});

test('a duration of at most hours is not written in days', () => {
  const { json } = duration('How long.', { minimum: '1s', maximum: '48h' });
  expect(valueProblems(json, '1d')).toHaveLength(1);
});
