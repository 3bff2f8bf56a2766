import { describe, expect, test } from 'vitest';
import type { Period } from './counting-client.js';
import { answered, failuresBut, shareOf, stretchesOf, tallyOf, told } from './tally.js';

const periods: readonly Period[] = [
  { from: 1000, to: 2000, answers: { '1.0.0 200': 80 }, last: { '1.0.0': 1990 }, failed: [], flying: 1 },
  {
    from: 2000,
    to: 3000,
    answers: { '1.0.0 200': 60, '1.2.0 200': 18, '1.2.0 500': 2, '- 502': 1 },
    last: { '1.0.0': 2990, '1.2.0': 2995, '-': 2500 },
    failed: [
      { at: 2100, why: '500', version: '1.2.0' },
      { at: 2200, why: '500', version: '1.2.0' },
      { at: 2500, why: '502' },
      { at: 2600, why: 'ECONNRESET' },
    ],
    flying: 2,
  },
  { from: 1500, to: 2500, answers: { '1.2.0 200': 20 }, last: { '1.2.0': 2400 }, failed: [], flying: 1 },
];

describe('a tally', () => {
  test('adds up the answers of all periods by version, regardless of their status', () => {
    expect(tallyOf(periods).answers).toEqual({ '1.0.0': 140, '1.2.0': 40, '-': 1 });
    expect(answered(tallyOf(periods))).toBe(181);
  });

  test('omits requests that started earlier', () => {
    expect(tallyOf(periods, 1500).answers).toEqual({ '1.0.0': 60, '1.2.0': 40, '-': 1 });
  });

  test('omits failures of requests that were sent earlier', () => {
    expect(tallyOf(periods, 2200).failed.map(({ why }) => why)).toEqual(['500', '502', 'ECONNRESET']);
  });

  test('finds the last request of each version in all periods', () => {
    expect(tallyOf(periods).last).toEqual({ '1.0.0': 2990, '1.2.0': 2995, '-': 2500 });
  });

  test.each([
    { version: '1.0.0', share: 60 },
    { version: '1.2.0', share: 40 },
    { version: 'none', share: 0 },
  ])('gives the share of $version among those of two: $share', ({ version, share }) => {
    const two = [{ ...periods[0], answers: { '1.0.0 200': 60, '1.2.0 200': 30, '1.2.0 500': 10 } } as Period];
    expect(shareOf(tallyOf(two), version)).toBe(share);
  });

  test('has no share without answers', () => {
    expect(shareOf(tallyOf([]), '1.0.0')).toBeNaN();
  });

  test('blames a version for its own failures alone', () => {
    expect(failuresBut(tallyOf(periods), '1.2.0').map(({ why }) => why)).toEqual(['502', 'ECONNRESET']);
  });

  test('is printed in one line', () => {
    expect(told(tallyOf(periods))).toBe(
      '181 answers, -: 0.6 %, 1.0.0: 77.3 %, 1.2.0: 22.1 %, 4 failed, 2 500 of 1.2.0 (00:00:02.100 to 00:00:02.200), ' +
        '1 502 (00:00:02.500 to 00:00:02.500), 1 ECONNRESET (00:00:02.600 to 00:00:02.600)',
    );
  });

  test('prints failures by interval and reason', () => {
    const at = (times: readonly number[], why: string) => times.map((one) => ({ at: one, why }));
    const failed = [...at([100, 500, 1001, 1001], '503'), ...at([300], 'late to answer')];
    expect(stretchesOf(failed.toReversed())).toEqual([
      '2 503 (00:00:00.100 to 00:00:00.500)',
      '2 503 (00:00:01.001 to 00:00:01.001)',
      '1 late to answer (00:00:00.300 to 00:00:00.300)',
    ]);
    expect(stretchesOf([])).toEqual([]);
  });
});
