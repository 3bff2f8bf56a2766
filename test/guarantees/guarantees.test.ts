import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writtenSources } from '../sources.js';
import { plantedBugs } from './planted-bugs.js';
import { proofsOf, testsPath } from './proofs.js';
import { testsPage } from './tests-page.js';
import { literalsOf } from './titles.js';

const root = join(import.meta.dirname, '..', '..');
const sources = writtenSources(root);
const proofs = proofsOf(root, sources);
const { guarantees, tests } = proofs;

/** All texts of the tests, but for the list that is checked against them. */
const texts = sources
  .filter(({ path }) => path.startsWith('test/') && !path.startsWith('test/guarantees/'))
  .flatMap(literalsOf);

/** Matches the texts that a reference names: `…` stands for anything. */
function patternOf(reference: string): RegExp {
  const parts = reference.split('…').map((part) => part.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

test('the page lists the guarantees 1 to 40, each in one row', () => {
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  expect(guarantees.map(({ number }) => number)).toEqual(numbers);
  expect(guarantees.map(({ linksTo }) => linksTo)).toEqual(numbers);
});

describe.each(guarantees)('guarantee $number, $title', ({ number, isReal, elsewhere }) => {
  const own = tests.filter((one) => one.guarantees.includes(number));

  test('has a test, and is marked if one runs on a real control plane', () => {
    expect(own).not.toEqual([]);
    expect(isReal).toBe(own.some((one) => one.isReal));
  });

  test('has a planted bug', () => {
    expect(plantedBugs.filter(({ guarantee }) => guarantee === number)).not.toEqual([]);
  });

  test('names the behavior of other frameworks', () => {
    for (const other of ['controller-runtime', 'kube-rs', 'kopf', 'JOSDK']) expect(elsewhere).toContain(other);
  });
});

test('every guarantee that a test names exists', () => {
  const known = new Set(guarantees.map(({ number }) => number));
  expect(tests.filter((one) => one.guarantees.some((number) => !known.has(number)))).toEqual([]);
});

test.each(plantedBugs)('the tests that find this bug exist: R$guarantee $bug', ({ failing }) => {
  const lost = failing.filter((title) => {
    const pattern = patternOf(title);
    return !texts.some((text) => pattern.test(text));
  });
  expect(lost, 'no test has this title any more: name the new one in test/guarantees/planted-bugs.ts').toEqual([]);
});

test('the list of tests is up to date', () => {
  const stale = `${testsPath} differs from the tests: check that no guarantee lost its proof, then run npm run guarantees`;
  expect(readFileSync(join(root, testsPath), 'utf8') === testsPage(proofs), stale).toBe(true);
});
