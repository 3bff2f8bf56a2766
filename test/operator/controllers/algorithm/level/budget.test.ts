import { describe, expect, it } from 'vitest';
import { budgetAfter } from '../../../../../operator/controllers/algorithm/level/budget.js';

const sla = { availability: 0.99, window: '1h' };
const part = 120_000;
const at = '2030-01-01T00:00:00Z';

function increase(until: number, total: number, failed: number) {
  return { from: until - 1000, until, sample: { requests: { total, failed } } };
}

const written = {
  ...{ requests: 300, failed: 3, since: at, countedUntil: 3 * part },
  buckets: [1, 2, 3].map((n) => ({ until: n * part, total: 100, failed: 1 })),
};

describe('line 10: the requests of a service level', () => {
  it.each([
    { says: 'met', total: 100, failed: 1, isMet: true, availability: 0.99, burnRate: 1 },
    { says: 'breached', total: 100, failed: 2, isMet: false, availability: 0.98, burnRate: 2 },
    { says: 'met', total: 100, failed: 0, isMet: true, availability: 1, burnRate: 0 },
    { says: 'nothing', total: 0, failed: 0, isMet: undefined, availability: undefined, burnRate: undefined },
  ])('say $says of $failed failures of $total', ({ total, failed, isMet, availability, burnRate }) => {
    const budget = budgetAfter(undefined, sla, { increase: increase(part, total, failed), now: part, at });
    expect(budget).toMatchObject({ isMet, requests: total, failed });
    expect(budget.availability).toBe(availability);
    expect(budget.burnRate === undefined ? undefined : Number(budget.burnRate.toFixed(6))).toBe(burnRate);
  });

  it('add up, part by part', () => {
    const budget = budgetAfter(written, sla, {
      increase: increase(3 * part + 1, 50, 5),
      now: 3 * part + 1,
      at: 'later',
    });
    expect(budget).toMatchObject({ requests: 350, failed: 8, since: at, countedUntil: 3 * part + 1 });
    expect(budget.buckets?.at(-1)).toEqual({ until: 4 * part, total: 50, failed: 5 });
    const more = budgetAfter(budget, sla, { increase: increase(3 * part + 2, 50, 5), now: 3 * part + 2, at });
    expect(more.buckets?.at(-1)).toEqual({ until: 4 * part, total: 100, failed: 10 });
  });

  it('are forgotten when the window has passed over them', () => {
    const budget = budgetAfter(written, sla, { increase: undefined, now: 3_600_000 + 2 * part, at });
    expect(budget).toMatchObject({ requests: 100, failed: 1, buckets: [{ until: 3 * part, total: 100, failed: 1 }] });
  });

  it('stay few, however long the window is', () => {
    const long = { availability: 0.99, window: '720h' };
    let budget = budgetAfter(undefined, long, { increase: undefined, now: 0, at });
    for (let hour = 1; hour <= 1500; hour++) {
      const now = hour * 3_600_000;
      budget = budgetAfter(budget, long, { increase: increase(now, 10, 0), now, at });
    }
    expect(budget.buckets?.length).toBeLessThanOrEqual(32);
    expect(budget.requests).toBeGreaterThanOrEqual(7200);
    expect(budget.requests).toBeLessThanOrEqual(7200 + 2 * 240);
  });
});
