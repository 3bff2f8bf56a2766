import { expect, test } from 'vitest';
import { distributionOf, quantileOf } from './distribution.js';

test.each([
  { of: [3], is: { least: 3, median: 3, p90: 3, most: 3 } },
  { of: [4, 1, 3, 2], is: { least: 1, median: 2, p90: 4, most: 4 } },
  { of: [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], is: { least: 1, median: 5, p90: 9, most: 10 } },
])('the distribution of $of', ({ of, is }) => {
  expect(distributionOf(of)).toEqual(is);
});

test('there is none of nothing', () => {
  expect(() => distributionOf([])).toThrow('nothing was measured');
});

test('95 % of the values are not above the quantile of 0.95', () => {
  const values = Array.from({ length: 50 }, (_, index) => 50 - index);
  expect(quantileOf(values, 0.95)).toBe(48);
  expect(quantileOf([7], 0.95)).toBe(7);
});
