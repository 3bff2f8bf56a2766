import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { increaseOf } from '../../../../../operator/controllers/algorithm/judgement/increase.js';
import type { Counters, Reading } from '../../../../../operator/controllers/algorithm/judgement/reading.js';
import { joined, type Sample } from '../../../../../operator/controllers/algorithm/judgement/sample.js';

const ok = (count: number): Counters => ({ codes: { '200': count } });
const read = (...readings: Reading['sources'][]): Reading[] =>
  readings.map((sources, index) => ({ at: index * 1000, sources }));

describe('what was counted', () => {
  it.each([
    { total: 30, when: 'two pods counted on', readings: read({ a: ok(100), b: ok(5) }, { a: ok(120), b: ok(15) }) },
    { total: 7, when: 'a counter fell: it was started again', readings: read({ a: ok(100) }, { a: ok(7) }) },
    {
      total: 27,
      when: 'it was started again in between',
      readings: read({ a: ok(100) }, { a: ok(120) }, { a: ok(7) }),
    },
    {
      total: 208,
      when: 'one of its counters fell and another did not: all of it was started again',
      readings: read({ a: { codes: { '200': 200, '500': 9 } } }, { a: { codes: { '200': 205, '500': 3 } } }),
    },
    {
      total: 4,
      when: 'a status code is no longer there',
      readings: read({ a: { codes: { '200': 3, '404': 1 } } }, { a: { codes: { '200': 4 } } }),
    },
    {
      total: 3,
      when: 'a status code is new',
      readings: read({ a: { codes: { '200': 3 } } }, { a: { codes: { '200': 4, '404': 2 } } }),
    },
    { total: 25, when: 'a pod is new', readings: read({ a: ok(100) }, { a: ok(105), b: ok(20) }) },
    { total: 5, when: 'a pod has gone', readings: read({ a: ok(100), b: ok(900) }, { a: ok(105) }) },
    { total: 12, when: 'a pod was gone for one reading', readings: read({ a: ok(100) }, {}, { a: ok(112) }) },
    {
      total: 12,
      when: 'a pod was silent for one reading',
      readings: read({ a: ok(100) }, { a: 'silent' }, { a: ok(112) }),
    },
    {
      total: 2,
      when: 'a pod was silent at first: what it counted before is not known',
      readings: read({ a: 'silent' }, { a: ok(112) }, { a: ok(114) }),
    },
    { total: 0, when: 'nothing happened', readings: read({ a: ok(100) }, { a: ok(100) }) },
    {
      total: 0,
      when: 'a proxy counts and has nothing yet',
      readings: read({ a: { codes: {} } }, { a: { codes: {} } }),
    },
    { total: undefined, when: 'everybody was silent', readings: read({ a: ok(100) }, { a: 'silent' }) },
    { total: undefined, when: 'nobody is there', readings: read({ a: ok(100) }, {}) },
    { total: undefined, when: 'nobody counts requests', readings: read({ a: {} }, { a: {} }) },
    {
      total: 5,
      when: 'the readings are in no order',
      readings: read({ a: ok(100) }, { a: ok(103) }, { a: ok(105) }).toReversed(),
    },
  ])('is $total requests when $when', ({ total, readings }) => {
    expect(increaseOf(readings)?.sample.requests?.total).toBe(total);
  });

  it.each([
    { code: '200', failed: 0 },
    { code: '301', failed: 0 },
    { code: '404', failed: 0 },
    { code: '408', failed: 1 },
    { code: '429', failed: 0 },
    { code: '499', failed: 1 },
    { code: '500', failed: 1 },
    { code: '503', failed: 1 },
    { code: '504', failed: 1 },
    { code: '0', failed: 1 },
  ])('has $failed failed requests for one with the code $code', ({ code, failed }) => {
    const readings = read(
      { a: { codes: { '200': 1 } } },
      { a: { codes: { '200': 1, ...{ [code]: code === '200' ? 2 : 1 } } } },
    );
    expect(increaseOf(readings)?.sample.requests).toEqual({ total: 1, failed });
  });

  it('is of a time, and of none for fewer than two readings', () => {
    expect(increaseOf(read({ a: ok(1) }, { a: ok(2) }, { a: ok(3) }))).toMatchObject({ from: 0, until: 2000 });
    expect(increaseOf(read({ a: ok(1) }))).toBeUndefined();
    expect(increaseOf([])).toBeUndefined();
    expect(increaseOf([...read({ a: ok(1) }), ...read({ a: ok(2) })])).toBeUndefined();
  });

  it('is counted once where a metric was left out of an answer', () => {
    const drift = (low: number, high: number) => ({ bounds: [0.5], counts: [low, high] });
    const readings = read(
      { a: { ...ok(10), drift: drift(5, 5) } },
      { a: ok(12) },
      { a: { ...ok(13), drift: drift(6, 7) } },
    );
    expect(increaseOf(readings)?.sample).toMatchObject({ requests: { total: 3 }, drift: { counts: [1, 2] } });
  });

  it('is all of a histogram whose buckets are others than before', () => {
    const readings = read(
      { a: { latency: { bounds: [1], counts: [5, 5] } } },
      { a: { latency: { bounds: [1, 2], counts: [9, 9, 9] } } },
    );
    expect(increaseOf(readings)?.sample.latency).toEqual({ bounds: [1, 2], counts: [9, 9, 9] });
  });
});

describe('what pods counted, with restarts and silences', () => {
  const counters = fc.record({
    codes: fc.record({ '200': fc.nat(90), '500': fc.nat(9) }),
    latency: fc.tuple(fc.nat(20), fc.nat(20)).map((counts) => ({ bounds: [0.1], counts })),
  });
  const sources = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(counters, fc.constant('silent' as const)));
  const readings = fc.array(sources, { minLength: 2, maxLength: 6 }).map((all) => read(...all));

  it('is the same for all pods at once as for each of them', () => {
    fc.assert(
      fc.property(readings, (all) => {
        const parts = ['a', 'b', 'c'].map((name) => sampleOf(all.map((reading) => only(reading, name))));
        expect(told(parts.reduce(joined, {}))).toEqual(told(sampleOf(all)));
      }),
    );
  });

  it('is never negative', () => {
    fc.assert(
      fc.property(readings, (all) => {
        const { requests, latency } = sampleOf(all);
        expect(requests?.failed ?? 0).toBeGreaterThanOrEqual(0);
        expect(requests?.total ?? 0).toBeGreaterThanOrEqual(requests?.failed ?? 0);
        expect(Math.min(0, ...(latency?.counts ?? []))).toBe(0);
      }),
    );
  });

  it('is the same for a time as for its parts, where nobody is silent or leaves', () => {
    const steady = fc.array(fc.record({ a: counters, b: counters }), { minLength: 3, maxLength: 6 });
    fc.assert(
      fc.property(steady, fc.nat(), (all, cut) => {
        const whole = read(...all);
        const at = 1 + (cut % (whole.length - 2));
        const parts = joined(sampleOf(whole.slice(0, at + 1)), sampleOf(whole.slice(at)));
        expect(told(parts)).toEqual(told(sampleOf(whole)));
      }),
    );
  });
});

function only({ at, sources }: Reading, name: string): Reading {
  const source = sources[name];
  return { at, sources: source ? { [name]: source } : {} };
}

function sampleOf(readings: readonly Reading[]): Sample {
  return increaseOf(readings)?.sample ?? {};
}

function told(sample: Sample): unknown {
  return JSON.parse(JSON.stringify(sample));
}
