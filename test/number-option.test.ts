import { expect, test } from 'vitest';
import { numberFrom } from './number-option.js';

test.each(['1', '2.5', '1e3'])('%s is a number from 1 on', (text) => {
  expect(numberFrom(1)(text)).toBe(Number(text));
});

test.each(['x', '', ' ', '0.5', '-3', 'Infinity', 'NaN'])('%j is none', (text) => {
  expect(() => numberFrom(1)(text)).toThrow('It must be a number from 1 on.');
});
