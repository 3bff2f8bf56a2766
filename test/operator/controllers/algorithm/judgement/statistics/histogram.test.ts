import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Buckets,
  coarser,
  commonBounds,
  type Histogram,
  histogramOf,
  merged,
  totalOf,
} from '../../../../../../operator/controllers/algorithm/judgement/statistics/histogram.js';

describe('a histogram', () => {
  it.each<{ when: string; buckets: Buckets; is: Histogram | undefined }>([
    {
      when: 'bounds are in no order',
      buckets: { '+Inf': 9, '0.5': 5, '1e-1': 2 },
      is: { bounds: [0.1, 0.5], counts: [2, 3, 4] },
    },
    { when: 'all is in one bucket', buckets: { '+Inf': 3 }, is: { bounds: [], counts: [3] } },
    { when: 'nothing was observed', buckets: { '1': 0, '+Inf': 0 }, is: { bounds: [1], counts: [0, 0] } },
    {
      when: 'it was read while it changed, and a bucket is behind the one before',
      buckets: { '1': 5, '2': 4, '+Inf': 6 },
      is: { bounds: [1, 2], counts: [5, 0, 1] },
    },
    { when: 'nobody knows how many there were', buckets: { '1': 5 }, is: undefined },
    { when: 'there is no bucket', buckets: {}, is: undefined },
  ])('is $is when $when', ({ buckets, is }) => {
    expect(histogramOf(buckets)).toEqual(is);
  });

  it('has fewer buckets where another has fewer, and the same observations', () => {
    const one = { bounds: [1, 2, 4], counts: [1, 2, 3, 4] };
    const other = { bounds: [2, 3, 4], counts: [10, 20, 30, 40] };
    expect(commonBounds(one, other)).toEqual([2, 4]);
    expect(coarser(one, [2, 4])).toEqual({ bounds: [2, 4], counts: [3, 3, 4] });
    expect(merged(one, other)).toEqual({ bounds: [2, 4], counts: [13, 53, 44] });
    expect(merged(one, { bounds: [7], counts: [1, 1] })).toEqual({ bounds: [], counts: [12] });
  });

  const histograms = fc
    .uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 6 })
    .map((bounds) => bounds.sort((a, b) => a - b))
    .chain((bounds) =>
      fc
        .array(fc.nat(50), { minLength: bounds.length + 1, maxLength: bounds.length + 1 })
        .map((counts) => ({ bounds, counts })),
    );

  it('is merged in any order, and no observation is lost', () => {
    fc.assert(
      fc.property(histograms, histograms, histograms, (a, b, c) => {
        expect(merged(a, b)).toEqual(merged(b, a));
        expect(merged(merged(a, b), c)).toEqual(merged(a, merged(b, c)));
        expect(totalOf(merged(a, b))).toBe(totalOf(a) + totalOf(b));
      }),
    );
  });
});
