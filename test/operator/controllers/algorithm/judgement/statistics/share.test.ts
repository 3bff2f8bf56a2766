import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type Share,
  shareAtLeast,
  shareAtMost,
} from '../../../../../../operator/controllers/algorithm/judgement/statistics/share.js';
import { binomial } from '../given-binomial.js';

describe('the bounds of a share', () => {
  it.each([
    { from: "R's binom.test, Conover's plants", hits: 682, total: 925, risk: 0.025, least: 0.7076683, most: 0.7654066 },
    { from: '1 - risk^(1/n), in closed form', hits: 0, total: 299, risk: 0.05, least: 0, most: 0.0099689 },
    { from: 'risk^(1/n), in closed form', hits: 200, total: 200, risk: 0.025, least: 0.9817247, most: 1 },
    { from: 'the square of 1 - p, in closed form', hits: 1, total: 2, risk: 0.05, least: 0.0253206, most: 0.9746794 },
    { from: 'nothing seen', hits: 0, total: 0, risk: 0.05, least: 0, most: 1 },
  ])('$hits of $total with risk $risk: between $least and $most, says $from', ({ hits, total, risk, least, most }) => {
    expect(shareAtLeast({ hits, total }, risk)).toBeCloseTo(least, 6);
    expect(shareAtMost({ hits, total }, risk)).toBeCloseTo(most, 6);
  });

  const shares = fc
    .tuple(fc.integer({ min: 1, max: 2000 }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([total, part]) => ({ hits: Math.round(total * part), total }));
  const risks = fc.double({ min: 1e-6, max: 0.4, noNaN: true });

  it('have what was seen between them, and each as likely as the risk says', () => {
    fc.assert(
      fc.property(shares, risks, (share, risk) => {
        const [least, most] = [shareAtLeast(share, risk), shareAtMost(share, risk)];
        expect(least).toBeLessThanOrEqual(share.hits / share.total);
        expect(most).toBeGreaterThanOrEqual(share.hits / share.total);
        if (share.hits > 0) expect(tail(share.total, least, share.hits) / risk).toBeCloseTo(1, 5);
      }),
    );
  });

  it('rise with the hits, and part as the risk falls', () => {
    fc.assert(
      fc.property(shares, risks, ({ hits, total }, risk) => {
        const more = { hits: Math.min(total, hits + 1), total };
        expect(shareAtLeast(more, risk)).toBeGreaterThanOrEqual(shareAtLeast({ hits, total }, risk));
        expect(shareAtMost(more, risk)).toBeGreaterThanOrEqual(shareAtMost({ hits, total }, risk));
        expect(shareAtLeast({ hits, total }, risk / 2)).toBeLessThanOrEqual(shareAtLeast({ hits, total }, risk));
        expect(shareAtMost({ hits, total }, risk / 2)).toBeGreaterThanOrEqual(shareAtMost({ hits, total }, risk));
      }),
    );
  });
});

describe('the true share is beyond the bound', () => {
  const cases = [0.0001, 0.001, 0.01, 0.05, 0.5].flatMap((share) =>
    [200, 450, 1000, 3000].flatMap((total) => [0.05, 0.025, 0.0025, 0.0001].map((risk) => ({ share, total, risk }))),
  );

  test.each(cases)('at most as often as the risk $risk says, for $share of $total', ({ share, total, risk }) => {
    expect(missed(total, share, (seen) => shareAtLeast(seen, risk) > share)).toBeLessThanOrEqual(risk * (1 + 1e-9));
    expect(missed(total, share, (seen) => shareAtMost(seen, risk) < share)).toBeLessThanOrEqual(risk * (1 + 1e-9));
  });

  test("far more often with Wilson's bound, where few fail and the risk is small", () => {
    const often = missed(200, 0.01, (seen) => wilsonAtLeast(seen, 3.719) > 0.01);
    expect(often / 0.0001).toBeGreaterThan(5);
  });
});

/** How likely it is that a bound, taken from a sample, is wrong: exact, over all samples. */
function missed(total: number, share: number, isMissed: (seen: Share) => boolean): number {
  return binomial(total, share).reduce((sum, likely, hits) => sum + (isMissed({ hits, total }) ? likely : 0), 0);
}

function tail(total: number, share: number, hits: number): number {
  return binomial(total, share)
    .slice(hits)
    .reduce((sum, likely) => sum + likely, 0);
}

function wilsonAtLeast({ hits, total }: Share, deviate: number): number {
  const seen = hits / total;
  const spread = deviate * Math.sqrt((seen * (1 - seen)) / total + deviate ** 2 / (4 * total ** 2));
  return (seen + deviate ** 2 / (2 * total) - spread) / (1 + deviate ** 2 / total);
}
