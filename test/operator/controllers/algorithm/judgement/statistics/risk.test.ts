import { describe, expect, it } from 'vitest';
import {
  nextLookAt,
  risksOf,
  trialRisk,
} from '../../../../../../operator/controllers/algorithm/judgement/statistics/risk.js';

describe('the risk of a trial', () => {
  it('is spent by no number of looks, for one to three measures', () => {
    for (const measures of [1, 2, 3]) {
      let [bad, good] = [0, 0];
      for (let look = 1; look <= 100_000; look += 1) {
        const risks = risksOf(look, measures);
        bad += risks.bad * measures;
        good += risks.good;
      }
      expect(good).toBeLessThan(trialRisk);
      expect(bad).toBeLessThan(trialRisk * (1 + 1e-9));
      expect(good).toBeGreaterThan(trialRisk * 0.9999);
    }
  });

  it.each([
    { look: 1, part: 1 / 2 },
    { look: 2, part: 1 / 6 },
    { look: 3, part: 1 / 12 },
  ])('is taken by look $look as $part of it', ({ look, part }) => {
    expect(risksOf(look, 1).good).toBeCloseTo(trialRisk * part, 12);
  });
});

describe('the next look', () => {
  it.each([
    { at: 200, last: 0, when: 'there was none' },
    { at: 300, last: 200, when: 'one was at 200 requests' },
    { at: 302, last: 201, when: 'one was at 201, so that half as many again is no whole number' },
  ])('is at $at requests when $when', ({ at, last }) => {
    expect(nextLookAt(last, 200)).toBe(at);
  });

  it('takes a request, even where none is asked for', () => {
    expect(nextLookAt(0, 0)).toBe(1);
  });
});
