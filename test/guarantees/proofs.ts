import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bugs } from '../simulation/bugs.js';
import type { Source } from '../sources.js';
import { guaranteesIn } from './guarantees-table.js';
import { plantedBugs } from './planted-bugs.js';
import type { Proofs } from './tests-page.js';
import { namedTests } from './titles.js';

/** The page with the promises, from the root. */
export const guaranteesPath = 'docs/maintaining/guarantees.md';

/** The page with their tests, from the root. */
export const testsPath = 'docs/maintaining/guarantees-tests.md';

/** What proves the guarantees of a checkout. @param root its folder */
export function proofsOf(root: string, sources: readonly Source[]): Proofs {
  return {
    guarantees: guaranteesIn(readFileSync(join(root, guaranteesPath), 'utf8')),
    tests: namedTests(sources),
    plantedBugs,
    simulatedBugs: bugs,
  };
}
