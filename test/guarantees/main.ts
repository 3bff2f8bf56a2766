import { writeFileSync } from 'node:fs';
import { writtenSources } from '../sources.js';
import { proofsOf, testsPath } from './proofs.js';
import { testsPage } from './tests-page.js';

// Writes the list of the tests that prove the guarantees: `npm run guarantees`, from the root.
const root = process.cwd();
writeFileSync(testsPath, testsPage(proofsOf(root, writtenSources(root))));
console.log(`wrote ${testsPath}`);
