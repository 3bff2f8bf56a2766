import { describe, expect, it } from 'vitest';
import {
  missingBackoff,
  reconcileBackoff,
  waitAfter,
  watchBackoff,
} from '../../../../operator/runtime/concurrency/backoff.js';

const longest = 1 - Number.EPSILON / 2;

describe('a wait after failures', () => {
  it.each([
    { wait: 5, failures: 1 },
    { wait: 10, failures: 2 },
    { wait: 20, failures: 3 },
    { wait: 40, failures: 4 },
    { wait: 1_000_000, failures: 19 },
    { wait: 1_000_000, failures: 5_000 },
    { wait: 1_000_000, failures: Number.MAX_SAFE_INTEGER },
  ])('R12 is $wait ms at most after $failures failures in a row of a key', ({ wait, failures }) => {
    expect(waitAfter(failures, reconcileBackoff, longest)).toBeCloseTo(wait, 6);
  });

  it.each([
    { bounds: [800, 30_000], of: 'a watch', backoff: watchBackoff },
    { bounds: [500, 3_000], of: 'a kind that is not served', backoff: missingBackoff },
    { bounds: [5, 1_000_000], of: 'a key', backoff: reconcileBackoff },
  ])('R6 R8 R12 of $of is, before jitter, between $bounds ms', ({ bounds, backoff }) => {
    const [first, most] = bounds;
    expect(waitAfter(1, backoff, longest)).toBeCloseTo(first ?? 0, 6);
    expect(waitAfter(100, backoff, longest)).toBeCloseTo(most ?? 0, 6);
  });

  it.each([
    { wait: 0, random: 0 },
    { wait: 10, random: 0.5 },
    { wait: 15, random: 0.75 },
  ])('R12 is spread: $wait of 20 ms where chance says $random', ({ wait, random }) => {
    expect(waitAfter(3, reconcileBackoff, random)).toBe(wait);
  });
});
