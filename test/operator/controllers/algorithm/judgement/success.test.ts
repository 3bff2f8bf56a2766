import { describe, expect, it } from 'vitest';
import { risksOf } from '../../../../../operator/controllers/algorithm/judgement/statistics/risk.js';
import { successOf } from '../../../../../operator/controllers/algorithm/judgement/success.js';

const first = risksOf(1, 1);

describe('success', () => {
  it.each([
    {
      is: 'bad',
      says: '97.1% of 1,204 requests succeeded (at most 98% with 95% confidence), below the threshold of 99%',
      when: 'far more fail than may',
      requests: { total: 1204, failed: 35 },
    },
    {
      is: 'good',
      says: '100% of 400 requests succeeded (at least 99.08% with 95% confidence), meeting the threshold of 99%',
      when: 'enough were seen, and none failed',
      requests: { total: 400, failed: 0 },
    },
    {
      is: 'undecided',
      says: '100% of 200 requests succeeded (between 98.1% and 100% with 95% confidence); more requests are needed to compare it with the threshold of 99%',
      when: 'none failed, but too few were seen to know',
      requests: { total: 200, failed: 0 },
    },
    {
      is: 'undecided',
      says: '98.5% of 200 requests succeeded (between 95.6% and 99.7% with 95% confidence); more requests are needed to compare it with the threshold of 99%',
      when: 'less than the threshold was seen, as chance may have it',
      requests: { total: 200, failed: 3 },
    },
    { is: 'undecided', says: 'No request was answered yet', when: 'there was none', requests: { total: 0, failed: 0 } },
    {
      is: 'missing',
      says: 'No proxy reports how many requests were answered',
      when: 'nobody counts',
      requests: undefined,
    },
  ])('is $is when $when', ({ is, says, requests }) => {
    expect(successOf(requests, 0.99, first)).toMatchObject({ verdict: is, sentence: says });
  });

  it('never says that all requests succeeded when one did not', () => {
    expect(successOf({ total: 72_000, failed: 3 }, 0.99, first).sentence).toMatch(
      /^99.996% of 72,000 requests succeeded \(at/,
    );
  });

  it('never says of a number that it is less than what it is rounded to', () => {
    const { verdict, sentence } = successOf({ total: 1_000_000, failed: 10_240 }, 0.99, first);
    expect(verdict).toBe('bad');
    expect(sentence).toContain('at most 98.996% with 95% confidence), below the threshold of 99%');
  });

  it.each([
    { is: 'undecided', threshold: 1, failed: 0, when: 'nothing may fail and nothing did: the next may' },
    { is: 'bad', threshold: 1, failed: 1, when: 'nothing may fail and one did' },
    { is: 'good', threshold: 0, failed: 500, when: 'everything may fail' },
  ])('is $is when $when', ({ is, threshold, failed }) => {
    expect(successOf({ total: 500, failed }, threshold, first).verdict).toBe(is);
  });
});
