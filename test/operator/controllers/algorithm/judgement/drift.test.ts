import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { driftOf } from '../../../../../operator/controllers/algorithm/judgement/drift.js';
import type { Distance, Pair } from '../../../../../operator/controllers/algorithm/judgement/statistics/distance.js';
import { ks } from '../../../../../operator/controllers/algorithm/judgement/statistics/ks.js';
import { psi } from '../../../../../operator/controllers/algorithm/judgement/statistics/psi.js';
import { type Risks, risksOf } from '../../../../../operator/controllers/algorithm/judgement/statistics/risk.js';
import { type Chance, drawnInto, givenChance } from './given-chance.js';

const first = risksOf(1, 1);
const equal = Array<number>(10).fill(0.1);
const methods = { PSI: psi, KS: ks };

describe('the population stability index', () => {
  it.each([
    { is: 0.25 * Math.log(3), from: 'a half against a quarter: ln 3 / 4', one: [5e7, 5e7], other: [2.5e7, 7.5e7] },
    { is: 1.2 * Math.log(4), from: 'two mirrored: 1.2 ln 4', one: [2e7, 8e7], other: [8e7, 2e7] },
    { is: 0, from: 'the same', one: [3e7, 7e7], other: [3e7, 7e7] },
  ])('is $is for $from', ({ is, one, other }) => {
    expect(psi({ one, other }, first).value).toBeCloseTo(is, 5);
  });

  it.each([
    { when: 'a bucket is empty on one side', one: [50, 50, 100], other: [0, 100, 100] },
    { when: 'a bucket is empty on both sides', one: [50, 0, 50], other: [40, 0, 60] },
    { when: 'nearly all buckets are', one: [0, 0, 0, 0, 200], other: [200, 0, 0, 0, 0] },
    { when: 'all is in one bucket', one: [200], other: [200] },
  ])('is a number when $when', ({ one, other }) => {
    const { value, atLeast, atMost } = psi({ one, other }, first);
    expect(Number.isFinite(value)).toBe(true);
    expect(atLeast).toBeLessThanOrEqual(value);
    expect(atMost).toBeGreaterThanOrEqual(value);
  });

  it('does not say that nothing drifted where only a rare bucket did', () => {
    const { atMost } = psi({ one: [100, 91, 9], other: [400, 400, 0] }, first);
    expect(atMost).toBeGreaterThan(0.2);
  });

  it('sees through rare buckets, which are mostly chance, what the others say', () => {
    const rare = Array.from({ length: 30 }, (_, index) => index % 2);
    const { atLeast } = psi({ one: [60, 130, ...rare], other: [130, 60, ...rare.toReversed()] }, first);
    expect(atLeast).toBeGreaterThan(0.2);
  });

  it('leaves out buckets that nobody is in', () => {
    const pair = { one: [60, 130], other: [130, 60] };
    expect(psi({ one: [60, 0, 0, 130, 0], other: [130, 0, 0, 60, 0] }, first)).toEqual(psi(pair, first));
  });

  it('knows nothing where there is one bucket alone', () => {
    expect(psi({ one: [500], other: [500] }, first)).toEqual({
      value: 0,
      atLeast: 0,
      atMost: Number.POSITIVE_INFINITY,
    });
  });

  it('is (B-1)·(1/n+1/m) on average for two samples of the same, as Yurdakul found: its lower bound knows', () => {
    const chance = givenChance(1);
    const found = Array.from({ length: 2000 }, () => psi(drawnPair(chance, [equal, 200], [equal, 800]), first));
    const mean = found.reduce((sum, { value }) => sum + value, 0) / found.length;
    expect(mean / (9 * (1 / 200 + 1 / 800))).toBeCloseTo(1, 1);
    expect(found.filter(({ atLeast }) => atLeast > 0.02)).toEqual([]);
  });
});

describe('the distance of Kolmogorov and Smirnov', () => {
  it.each([
    { is: 0.25, when: 'a quarter is elsewhere', one: [50, 50], other: [25, 75] },
    { is: 0.5, when: 'the difference is in the middle', one: [10, 60, 30], other: [10, 10, 80] },
    { is: 1, when: 'nothing is alike', one: [10, 0], other: [0, 10] },
    { is: 0, when: 'all is alike', one: [10, 20], other: [100, 200] },
    { is: 0, when: 'all is in one bucket', one: [10], other: [10] },
  ])('is $is when $when', ({ is, one, other }) => {
    expect(ks({ one, other }, first).value).toBeCloseTo(is, 12);
  });
});

describe.each(['PSI', 'KS'] as const)('the bounds of %s', (method) => {
  const counts = fc
    .array(fc.nat(400), { minLength: 6, maxLength: 6 })
    .filter((all) => all.reduce((a, b) => a + b) > 20);

  it('have what was seen between them, and part as the risk falls', () => {
    fc.assert(
      fc.property(counts, counts, (one, other) => {
        const wide = methods[method]({ one, other }, { bad: 0.001, good: 0.001 });
        const near = methods[method]({ one, other }, { bad: 0.05, good: 0.05 });
        for (const { value, atLeast, atMost } of [wide, near]) {
          expect(atLeast).toBeLessThanOrEqual(value);
          expect(atMost).toBeGreaterThanOrEqual(value);
        }
        expect(wide.atLeast).toBeLessThanOrEqual(near.atLeast);
        expect(wide.atMost).toBeGreaterThanOrEqual(near.atMost);
      }),
    );
  });

  it('are the same whichever way the buckets are numbered', () => {
    // Enough in each bucket that none is counted with the next.
    const full = counts.map((all) => all.map((count) => count + 10));
    fc.assert(
      fc.property(full, full, (one, other) => {
        const there = methods[method]({ one, other }, first);
        const back = methods[method]({ one: one.toReversed(), other: other.toReversed() }, first);
        for (const key of ['value', 'atLeast', 'atMost'] as const) expect(back[key]).toBeCloseTo(there[key], 9);
      }),
    );
  });
});

describe('the true distance is beyond the bound about as often as the risk says', () => {
  const shapes = {
    'all buckets a little': [equal, tilted(0.65)],
    'one rare bucket': [
      [0.97, 0.03],
      [0.86, 0.14],
    ],
    'one rare bucket of three': [
      [0.5, 0.47, 0.03],
      [0.5, 0.36, 0.14],
    ],
    'two buckets': [
      [0.5, 0.5],
      [0.275, 0.725],
    ],
    'the tails': [
      [0.02, 0.08, 0.8, 0.08, 0.02],
      [0.06, 0.14, 0.6, 0.14, 0.06],
    ],
  } as const;
  const sizes = [
    [50, 200],
    [200, 200],
    [200, 800],
    [1000, 4000],
  ] as const;
  const cases = Object.entries(shapes).flatMap(([shape, [stable, trial]]) =>
    sizes.map(([n, m]) => ({ shape, stable, trial, n, m })),
  );

  test.each(cases)('in $shape, $n against $m', ({ stable, trial, n, m }) => {
    const draws = 2000;
    const missed = { PSI: { atLeast: 0, atMost: 0 }, KS: { atLeast: 0, atMost: 0 } };
    const truth = { PSI: psiOf(trial, stable), KS: ksOf(trial, stable) };
    const risks: Risks = { bad: 0.05, good: 0.05 };
    const chance = givenChance(7);
    for (let draw = 0; draw < draws; draw += 1) {
      const pair = drawnPair(chance, [trial, n], [stable, m]);
      for (const method of ['PSI', 'KS'] as const) {
        const { atLeast, atMost }: Distance = methods[method](pair, risks);
        if (atLeast > truth[method]) missed[method].atLeast += 1 / draws;
        if (atMost < truth[method]) missed[method].atMost += 1 / draws;
      }
    }
    // PSI's are approximate.
    expect(Math.max(missed.PSI.atLeast, missed.PSI.atMost)).toBeLessThan(0.065);
    expect(Math.max(missed.KS.atLeast, missed.KS.atMost)).toBeLessThan(0.05);
  });
});

describe('drift', () => {
  const bounds = [0.25, 0.5, 0.75];
  const stable = { bounds, counts: [1000, 1000, 1000, 1000] };
  const threshold = 0.2;

  it.each([
    {
      is: 'bad',
      says: 'The population stability index of 1,000 observations is 0.332 (at least 0.251 with 95% confidence), above the threshold of 0.2',
      when: 'half of the answers are where a quarter was',
      method: 'PSI' as const,
      trial: { bounds, counts: [100, 200, 200, 500] },
    },
    {
      is: 'good',
      says: 'The population stability index of 1,000 observations is 0.001 (at most 0.015 with 95% confidence), within the threshold of 0.2',
      when: 'they are nearly where they were',
      method: 'PSI' as const,
      trial: { bounds, counts: [240, 250, 250, 260] },
    },
    {
      is: 'undecided',
      says: 'The population stability index of 60 observations is 0.159; more observations are needed to compare it with the threshold of 0.2',
      when: 'there are few',
      method: 'PSI' as const,
      trial: { bounds, counts: [8, 12, 15, 25] },
    },
    {
      is: 'bad',
      says: 'The Kolmogorov-Smirnov distance of 1,000 observations is 0.3 (at least 0.241 with 95% confidence), above the threshold of 0.2',
      when: 'more than half of the answers are where a quarter was',
      method: 'KS' as const,
      trial: { bounds, counts: [50, 150, 250, 550] },
    },
    {
      is: 'good',
      says: 'The Kolmogorov-Smirnov distance of 1,000 observations is 0.01 (at most 0.059 with 95% confidence), within the threshold of 0.2',
      when: 'they are nearly where they were',
      method: 'KS' as const,
      trial: { bounds, counts: [240, 250, 250, 260] },
    },
  ])('by $method is $is when $when', ({ is, says, method, trial }) => {
    expect(driftOf({ trial, stable }, { method, threshold }, first)).toMatchObject({ verdict: is, sentence: says });
  });

  it('is judged in the buckets that both versions have', () => {
    const trial = { bounds: [0.1, 0.5], counts: [200, 300, 500] };
    const found = driftOf({ trial, stable }, { method: 'KS', threshold }, first);
    expect(found).toMatchObject({ verdict: 'good', value: 0, count: 1000 });
  });

  it.each([
    {
      is: 'missing',
      says: 'The histograms of both versions have no bucket boundary in common, so their drift cannot be compared',
      when: 'the versions have other buckets',
      sides: { trial: { bounds: [0.3], counts: [5, 5] }, stable },
    },
    {
      is: 'missing',
      says: 'The version on trial reports no drift metric',
      when: 'one tells none',
      sides: { trial: undefined, stable },
    },
    {
      is: 'missing',
      says: 'The stable version reports no drift metric',
      when: 'the other tells none',
      sides: { trial: stable, stable: undefined },
    },
    {
      is: 'undecided',
      says: 'The drift metric of one version has no observations yet',
      when: 'nothing was observed yet',
      sides: { trial: { bounds, counts: [0, 0, 0, 0] }, stable },
    },
  ])('is $is when $when', ({ is, says, sides }) => {
    expect(driftOf(sides, { method: 'PSI', threshold }, first)).toMatchObject({ verdict: is, sentence: says });
  });
});

function tilted(by: number): number[] {
  return equal.map((share, index) => share * (1 + (by * (index - 4.5)) / 4.5));
}

function drawnPair(
  chance: Chance,
  [trial, n]: readonly [readonly number[], number],
  [stable, m]: readonly [readonly number[], number],
): Pair {
  return { one: drawnInto(chance, n, trial), other: drawnInto(chance, m, stable) };
}

function psiOf(one: readonly number[], other: readonly number[]): number {
  return one.reduce(
    (sum, share, index) => sum + (share - (other[index] ?? 0)) * Math.log(share / (other[index] ?? 0)),
    0,
  );
}

function ksOf(one: readonly number[], other: readonly number[]): number {
  let [difference, largest] = [0, 0];
  one.forEach((share, index) => {
    difference += share - (other[index] ?? 0);
    largest = Math.max(largest, Math.abs(difference));
  });
  return largest;
}
