import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalQuantity } from '../../../src/index.js';
import { wholeQuantity } from '../../../src/manifest/quantity.js';
import { quantities } from '../../given/quantities.js';

describe('a quantity as it is rendered', () => {
  test.each(quantities.map(([written, rendered]) => [written, rendered] as const))('%s is %s', (written, rendered) =>
    expect(canonicalQuantity(written)).toBe(rendered),
  );

  test('is converted at once, regardless of its size', () => {
    expect(canonicalQuantity('1e999999999')).toBe('9223372036854775807');
    expect(canonicalQuantity('1e-999999999')).toBe('1e-9');
    expect(canonicalQuantity('0e999999999')).toBe('0');
  });

  test('stays as it is when it is rendered again', () => {
    const amount = fc.tuple(fc.nat(), fc.constantFrom('n', 'u', 'm', '', 'k', 'M', 'Ki', 'Mi', 'Gi', 'e3', 'e-2'));
    fc.assert(
      fc.property(amount, ([number, suffix]) => {
        const once = canonicalQuantity(`${number}${suffix}`);
        expect(canonicalQuantity(once)).toBe(once);
      }),
    );
  });

  test.each(['', 'Gi', '1 Gi', '1g', 'one', '1e', '-1', '.'])('%j is none', (wrong) => {
    expect(() => canonicalQuantity(wrong)).toThrow(
      'a quantity must be a number of 0 or more with an optional suffix, such as 500m, 2 or 1.5Gi, got',
    );
  });
});

test.each([
  ['1Gi', 1_073_741_824n],
  ['1.5k', 1500n],
  ['100m', 1n],
  [3, 3n],
  ['0', 0n],
] as const)('%s is %s in all, rounded up', (written, whole) => expect(wholeQuantity(written)).toBe(whole));
