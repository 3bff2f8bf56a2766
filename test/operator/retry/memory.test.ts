import { describe, expect, it } from 'vitest';
import { memoryWith } from '../../../operator/retry/index.js';
import { grownBy } from '../../../operator/retry/memory.js';

describe('memory after failures for the lack of it', () => {
  it.each([
    { stated: '1Gi', growth: undefined, expected: '1Gi' },
    { stated: '1Gi', growth: { factor: 1.5 }, expected: '1536Mi' },
    { stated: '1000Mi', growth: { factor: 1.1 }, expected: '1100Mi' },
    { stated: '1Gi', growth: { factor: 8, max: '4Gi' }, expected: '4Gi' },
    { stated: '1G', growth: { factor: 1.0001 }, expected: '954Mi' },
    { stated: '8Gi', growth: { factor: 2, max: '4Gi' }, expected: '8Gi' },
    { stated: '1Gi', growth: { factor: 1e300, max: '64Gi' }, expected: '64Gi' },
  ])('is $expected for $stated and $growth', ({ stated, growth, expected }) => {
    expect(memoryWith(stated, growth)).toBe(expected);
  });

  it('has a factor that JSON can have, after any number of failures', () => {
    const growth = { memoryFactor: 16, max: '4Gi' };
    const factors = Array.from({ length: 400 }).reduce<ReturnType<typeof grownBy> | undefined>(
      (before) => grownBy(before, growth),
      undefined,
    );
    expect(factors).toEqual({ factor: 1_000_000, max: '4Gi' });
  });
});
