import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latencyOf } from '../../../../../operator/controllers/algorithm/judgement/latency.js';
import { around, percentileOf } from '../../../../../operator/controllers/algorithm/judgement/statistics/percentile.js';
import { risksOf } from '../../../../../operator/controllers/algorithm/judgement/statistics/risk.js';

const bounds = [0.025, 0.05, 0.1];
const first = risksOf(1, 1);

describe('a percentile', () => {
  it.each([
    {
      of: 50,
      counts: [10, 20, 10, 0],
      is: { estimate: 0.0375, from: 0.025, to: 0.05 },
      when: 'it is in the middle of a bucket',
    },
    {
      of: 95,
      counts: [10, 20, 10, 0],
      is: { estimate: 0.09, from: 0.05, to: 0.1 },
      when: 'it is four fifths into a bucket',
    },
    {
      of: 25,
      counts: [10, 20, 10, 0],
      is: { estimate: 0.025, from: 0, to: 0.025 },
      when: 'it is at the end of a bucket',
    },
    {
      of: 50,
      counts: [0, 0, 4, 0],
      is: { estimate: 0.075, from: 0.05, to: 0.1 },
      when: 'the buckets before are empty',
    },
    {
      of: 95,
      counts: [1, 1, 1, 7],
      is: { estimate: 0.1, from: 0.1, to: Number.POSITIVE_INFINITY },
      when: 'its bucket has no end',
    },
    { of: 95, counts: [0, 0, 0, 0], is: undefined, when: 'there is nothing' },
  ])('$of is $is when $when', ({ of, counts, is }) => {
    const found = percentileOf({ bounds, counts }, of);
    if (is === undefined) return expect(found).toBeUndefined();
    expect(found?.estimate).toBeCloseTo(is.estimate, 12);
    expect(found).toMatchObject({ from: is.from, to: is.to });
  });

  it('rises with the per cent, and is in its bucket', () => {
    const counts = fc.array(fc.nat(30), { minLength: 4, maxLength: 4 }).filter((all) => all.some((count) => count > 0));
    const percent = fc.double({ min: 1, max: 99, noNaN: true });
    fc.assert(
      fc.property(counts, percent, percent, (all, one, other) => {
        const low = percentileOf({ bounds, counts: all }, Math.min(one, other));
        const high = percentileOf({ bounds, counts: all }, Math.max(one, other));
        expect(low?.estimate).toBeLessThanOrEqual((high?.estimate ?? 0) + 1e-12);
        expect(low?.estimate).toBeGreaterThanOrEqual(low?.from ?? 1);
        expect(low?.estimate).toBeLessThanOrEqual((low?.to ?? 0) + 1e-12);
      }),
    );
  });
});

describe('requests around a limit', () => {
  it.each([
    { limit: 0.05, is: { within: 3, unsure: 0, above: 7 }, when: 'it is the end of a bucket' },
    { limit: 0.06, is: { within: 3, unsure: 3, above: 4 }, when: 'it is in a bucket' },
    { limit: 0.01, is: { within: 0, unsure: 1, above: 9 }, when: 'it is in the first' },
    { limit: 5, is: { within: 6, unsure: 4, above: 0 }, when: 'it is in the last, which has no end' },
  ])('are $is when $when', ({ limit, is }) => {
    expect(around({ bounds, counts: [1, 2, 3, 4] }, limit)).toEqual(is);
  });
});

describe('latency, of which the 95th percentile may be 50 ms', () => {
  it.each([
    {
      is: 'bad',
      says: '10% of 1,000 requests took longer than 50 ms (at least 8.2% with 95% confidence), more than the allowed 5%',
      when: 'one in ten takes longer',
      counts: [500, 400, 90, 10],
    },
    {
      is: 'good',
      says: '2% of 1,000 requests took longer than 50 ms (at most 3.1% with 95% confidence), within the allowed 5%',
      when: 'one in fifty takes longer',
      counts: [500, 480, 20, 0],
    },
    {
      is: 'undecided',
      says: 'Percentile 95 of 200 requests is between 50 ms and 100 ms; more requests are needed to compare it with the target of 50 ms',
      when: 'a few more take longer than may',
      counts: [100, 88, 12, 0],
    },
    {
      is: 'undecided',
      says: 'No request was measured yet',
      when: 'there was none',
      counts: [0, 0, 0, 0],
    },
  ])('is $is when $when', ({ is, says, counts }) => {
    const found = latencyOf({ bounds, counts }, { percentile: 95, targetSeconds: 0.05 }, first);
    expect(found).toMatchObject({ verdict: is, sentence: says });
  });

  it('is missing where nobody tells it', () => {
    expect(latencyOf(undefined, { percentile: 95, targetSeconds: 0.05 }, first).verdict).toBe('missing');
  });

  it.each([
    {
      is: 'undecided',
      says: 'Percentile 95 of 100,000 requests is between 50 ms and 100 ms, in the same bucket as the target of 60 ms; add a bucket boundary at 60 ms to the histogram',
      when: 'the percentile is in the same bucket, however many requests there are',
      counts: [50_000, 40_000, 9_000, 1_000],
    },
    {
      is: 'good',
      says: '3% of 100,000 requests took longer than 60 ms (at most 3.2% with 95% confidence), within the allowed 5%',
      when: 'it would be good even if all of that bucket were slow',
      counts: [57_000, 40_000, 3_000, 0],
    },
    {
      is: 'bad',
      says: '6% of 100,000 requests took longer than 60 ms (at least 5.8% with 95% confidence), more than the allowed 5%',
      when: 'it would be bad even if all of that bucket were fast',
      counts: [50_000, 41_000, 3_000, 6_000],
    },
  ])('of 60 ms, inside a bucket, is $is when $when', ({ is, says, counts }) => {
    const found = latencyOf({ bounds, counts }, { percentile: 95, targetSeconds: 0.06 }, first);
    expect(found).toMatchObject({ verdict: is, sentence: says });
  });
});
