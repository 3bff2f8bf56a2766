import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { trialRisk } from '../../../../../operator/controllers/algorithm/judgement/statistics/risk.js';
import { shareAtLeast } from '../../../../../operator/controllers/algorithm/judgement/statistics/share.js';
import type { TrialSettings } from '../../../../../operator/controllers/algorithm/judgement/trial-settings.js';
import { drawn, givenChance } from './given-chance.js';
import { type Played, type Players, plan, played, type Quality } from './given-trial.js';

/** States what is measured here: 200 trials each, the same at every run. */
const page = readFileSync('docs/kinds/algorithm/judgement.md', 'utf8');

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
    { what: 'success, 99 %', trial: { failing: 0.01 }, requests: 400 },
    { what: 'success, 99 %', trial: { failing: 0.01 }, requests: 20 },
    { what: 'latency, percentile 95', trial: latency(0.05), requests: 100, standards: slow },
    { what: 'drift, PSI 0.2', trial: drift(0.65717), stable: drift(0), requests: 100, standards: psi },
    { what: 'drift, KS 0.2', trial: drift(0.72), stable: drift(0), requests: 100, standards: ks },
  ])(
    'take it back as bad in 1 of 20 at the most, and promote it in 1 of 20 at the most: $what, $requests in an interval',
    (given) => {
      const { Bad, promoted, Deadline } = ends(given, 1, given.standards);
      expect(Bad).toBeLessThanOrEqual(atMostTheRisk);
      expect(promoted).toBeLessThanOrEqual(atMostTheRisk);
      const cells = [given.what, given.requests / 10, Bad, promoted, Deadline];
      expect(page).toContain(`| ${cells.join(' | ')} |`);
    },
    120_000,
  );

  it('never take it back where two verdicts must be bad', () => {
    expect(ends({ trial: { failing: 0.01 } }, 2).Bad).toBe(0);
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
    120_000,
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
    120_000,
  );
});

describe('the page tells how many requests it takes', () => {
  test.each([
    ...[
      { what: 'nothing fails', least: 0.95, failing: 0 },
      { what: 'nothing fails', least: 0.99, failing: 0 },
      { what: 'nothing fails', least: 0.999, failing: 0 },
      { what: '0.2 % fail', least: 0.99, failing: 0.002 },
      { what: '0.5 % fail', least: 0.99, failing: 0.005 },
      { what: '2 % fail', least: 0.99, failing: 0.02 },
      { what: '3 % fail', least: 0.99, failing: 0.03 },
      { what: '5 % fail', least: 0.99, failing: 0.05 },
      { what: 'half fail', least: 0.99, failing: 0.5 },
    ].map(({ what, least, failing }) => ({
      what,
      asked: `${least * 100} % succeed`,
      players: { trial: { failing } },
      standards: { success: least },
    })),
    { what: '2 % are slow', asked: 'percentile 95', players: { trial: latency(0.02) }, standards: slow },
    { what: '10 % are slow', asked: 'percentile 95', players: { trial: latency(0.1) }, standards: slow },
    { what: 'no drift', asked: 'PSI 0.2', players: { trial: drift(0), stable: drift(0) }, standards: psi },
    { what: 'PSI is 0.46', asked: 'PSI 0.2', players: { trial: drift(0.9), stable: drift(0) }, standards: psi },
    { what: 'no drift', asked: 'KS 0.2', players: { trial: drift(0), stable: drift(0) }, standards: ks },
    { what: 'KS is 0.25', asked: 'KS 0.2', players: { trial: drift(0.9), stable: drift(0) }, standards: ks },
  ])(
    'when $what and $asked is asked',
    ({ what, asked, players, standards }) => {
      const quick = plan({ standards, steps: [{ weight: 20, seconds: 0 }], deadline: 1e6 });
      const all = trialsOf({ ...players, requests: 50 }, quick).toSorted((a, b) => a.requests - b.requests);
      const cells = [trials / 2, trials * 0.95].map((nth) => all[nth]?.requests.toLocaleString('en-US'));
      const ends = new Set(all.map(({ end }) => (end === 'promoted' ? end : 'rolled back')));
      expect(page).toContain(`| ${what} | ${asked} | ${[...ends].join(' or ')} | ${cells.join(' | ')} |`);
    },
    120_000,
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
  for (const { end } of trialsOf(players, plan({ failureLimit, standards }))) count[end] += 1;
  return count;
}

function trialsOf(players: Players, one: TrialSettings): Played[] {
  return Array.from({ length: trials }, (_, seed) => played(givenChance((seed + 1) * 7919), players, one));
}
