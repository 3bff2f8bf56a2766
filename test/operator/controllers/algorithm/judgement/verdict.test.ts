import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../../../operator/controllers/algorithm/judgement/sample.js';
import {
  missingIn,
  type Standards,
  verdictOf,
} from '../../../../../operator/controllers/algorithm/judgement/verdict.js';

const all: Standards = {
  success: 0.99,
  latency: { percentile: 95, targetSeconds: 0.05 },
  drift: { method: 'PSI', threshold: 0.2 },
};
const bounds = [0.25, 0.5, 0.75];
const stable: Sample = { drift: { bounds, counts: [1000, 1000, 1000, 1000] } };
const good: Sample = {
  requests: { total: 2000, failed: 0 },
  latency: { bounds: [0.05], counts: [1990, 10] },
  drift: { bounds, counts: [500, 500, 500, 500] },
};
const failing = { total: 2000, failed: 100 };
const slow = { bounds: [0.05], counts: [1000, 1000] };
const drifted = { bounds, counts: [0, 500, 500, 1000] };
const none = undefined;

describe('a verdict', () => {
  it.each([
    { is: 'good', when: 'every measure is', trial: good, says: '100% of 2,000 requests succeeded' },
    {
      is: 'bad',
      when: 'requests fail',
      trial: { ...good, requests: failing },
      says: '95% of 2,000 requests succeeded',
    },
    { is: 'bad', when: 'it is slow', trial: { ...good, latency: slow }, says: '50% of 2,000 requests took longer' },
    { is: 'bad', when: 'it drifted', trial: { ...good, drift: drifted }, says: 'The population stability index' },
    {
      is: 'bad',
      when: 'one measure is, though another is missing',
      trial: { ...good, requests: failing, drift: none },
      says: '95% of 2,000 requests succeeded',
    },
    {
      is: 'missing',
      when: 'one measure is, though the others are good',
      trial: { ...good, drift: none },
      says: 'The version on trial reports no drift metric',
    },
    {
      is: 'undecided',
      when: 'one measure is, though the others are good',
      trial: { ...good, latency: { bounds: [0.05], counts: [95, 5] } },
      says: 'Percentile 95 of 100 requests',
    },
    {
      is: 'missing',
      when: 'nobody tells anything',
      trial: {},
      says: 'No proxy reports how many requests were answered',
    },
  ])('is $is when $when', ({ is, trial, says }) => {
    const { verdict, sentence } = verdictOf({ trial, stable }, all, 1);
    expect({ verdict, sentence }).toEqual({ verdict: is, sentence: expect.stringContaining(says) });
  });

  it('has the numbers of what is judged, and of nothing else', () => {
    const alone = verdictOf({ trial: good, stable }, { success: 0.99 }, 1);
    expect([alone.latency, alone.drift]).toEqual([undefined, undefined]);
    const { success, latency, drift } = verdictOf({ trial: good, stable }, all, 1);
    expect(success).toMatchObject({ value: 1, atMost: 1, count: 2000 });
    expect(latency).toMatchObject({ value: expect.closeTo(0.0477, 3), atLeast: 0, atMost: 0.05, count: 2000 });
    expect(drift).toMatchObject({ value: expect.closeTo(0, 3), atLeast: 0, count: 2000 });
  });

  it('of a later look, and of one with more measures, asks for more', () => {
    const trial = { ...good, requests: { total: 200, failed: 6 } };
    expect(verdictOf({ trial, stable }, { success: 0.99 }, 1).verdict).toBe('bad');
    expect(verdictOf({ trial, stable }, { success: 0.99 }, 2).verdict).toBe('undecided');
    expect(verdictOf({ trial, stable }, all, 1).verdict).toBe('undecided');
  });
});

describe('what is missing', () => {
  it.each([
    { is: undefined, when: 'all is there', trial: good, of: all },
    { is: undefined, when: 'what is not there is not judged', trial: { requests: failing }, of: { success: 0.99 } },
    {
      is: 'No proxy reports how long requests took',
      when: 'latency is judged',
      trial: { ...good, latency: none },
      of: all,
    },
  ])('is $is when $when', ({ is, trial, of }) => {
    expect(missingIn({ trial, stable }, of)).toBe(is);
  });
});
