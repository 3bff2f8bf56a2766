import { describe, expect, it, test } from 'vitest';
import { trialRisk } from '../../../../../operator/controllers/algorithm/judgement/risk.js';
import { shareAtLeast } from '../../../../../operator/controllers/algorithm/judgement/share.js';
import { drawn, givenChance } from './given-chance.js';
import { type Played, type Players, plan, played, type Quality } from './given-trial.js';

// What docs/kinds/algorithm-judgement.md states. 200 trials each, the same at every run.

const trials = 200;

const atMostTheRisk = trials * trialRisk;

const equal = Array<number>(10).fill(0.1);
const latency = (slow: number): Quality => ({ latency: [0.2, 0.5, 0.3 - slow, 0.6 * slow, 0.3 * slow, 0.1 * slow] });
const drift = (tilt: number): Quality => ({ drift: equal.map((share, i) => share * (1 + (tilt * (i - 4.5)) / 4.5)) });

const psi = { success: 0.99, drift: { method: 'PSI', threshold: 0.2 } } as const;
const ks = { success: 0.99, drift: { method: 'KS', threshold: 0.2 } } as const;
const slow = { success: 0.99, latency: { percentile: 95, targetSeconds: 0.05 } } as const;

describe('200 trials of a version of exactly the least quality', () => {
  test.each([
    { what: 'success, 400 requests in an interval', trial: { failing: 0.01 }, requests: 400 },
    { what: 'success, 20 requests in an interval', trial: { failing: 0.01 }, requests: 20 },
    { what: 'latency', trial: latency(0.05), requests: 100, standards: slow },
    { what: 'drift by PSI', trial: drift(0.65717), stable: drift(0), requests: 100, standards: psi },
    { what: 'drift by KS', trial: drift(0.72), stable: drift(0), requests: 100, standards: ks },
  ])(
    'take it back as bad in 1 of 20 at the most, and promote it in 1 of 20 at the most: $what',
    (given) => {
      const { Bad, promoted } = ends(given, 1, given.standards);
      expect(Bad).toBeLessThanOrEqual(atMostTheRisk);
      expect(promoted).toBeLessThanOrEqual(atMostTheRisk);
    },
    60_000,
  );

  it('take it back next to never where two verdicts must be bad', () => {
    expect(ends({ trial: { failing: 0.01 } }, 2).Bad).toBeLessThanOrEqual(1);
  });
});

describe('200 trials of a good version', () => {
  test.each([
    { what: '0.2 % fail', trial: { failing: 0.002 } },
    { what: '0.2 % fail, 20 requests in an interval', trial: { failing: 0.002 }, requests: 20 },
    { what: '2 % are slow', trial: latency(0.02), standards: slow },
    { what: 'answers as those of the stable version, by PSI', trial: drift(0), stable: drift(0), standards: psi },
    { what: 'answers as those of the stable version, by KS', trial: drift(0), stable: drift(0), standards: ks },
  ])(
    'promote all: $what',
    (given) => {
      expect(ends(given, 2, given.standards)).toEqual({ promoted: trials, Bad: 0, Deadline: 0 });
    },
    60_000,
  );
});

describe('200 trials of a bad version', () => {
  test.each([
    { what: '3 % fail', trial: { failing: 0.03 } },
    { what: '3 % fail, 20 requests in an interval', trial: { failing: 0.03 }, requests: 20 },
    { what: '10 % are slow', trial: latency(0.1), standards: slow },
    { what: 'other answers, by PSI', trial: drift(0.9), stable: drift(0), standards: psi },
    { what: 'other answers, by KS', trial: drift(0.9), stable: drift(0), standards: ks },
  ])(
    'take all back: $what',
    (given) => {
      expect(ends(given, 2, given.standards)).toEqual({ promoted: 0, Bad: trials, Deadline: 0 });
    },
    60_000,
  );
});

it('would take back far more than 1 of 20 of exactly the least quality if each look took the whole risk', () => {
  const takenBack = Array.from({ length: trials }, (_, seed) => {
    const chance = givenChance(seed);
    let failed = 0;
    return Array.from({ length: 180 }, (_, look) => {
      failed += drawn(chance, 400, 0.01);
      return shareAtLeast({ hits: failed, total: 400 * (look + 1) }, trialRisk) > 0.01;
    }).includes(true);
  });
  expect(takenBack.filter(Boolean).length).toBeGreaterThan(4 * atMostTheRisk);
});

function ends(players: Players, failureLimit: number, standards = plan().standards): Record<Played['end'], number> {
  const count = { promoted: 0, Bad: 0, Deadline: 0 };
  const one = plan({ failureLimit, standards });
  for (let seed = 1; seed <= trials; seed += 1) count[played(givenChance(seed * 7919), players, one).end] += 1;
  return count;
}
