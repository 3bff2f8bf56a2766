import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writtenSources } from '../sources.js';
import { beyondImports, reachedBy } from './beyond-imports.js';

test('each row names existing paths', () => {
  expect(beyondImports.flatMap(({ tests }) => tests).filter((path) => !existsSync(path))).toEqual([]);
});

test.each([
  ['docs/owning.md', 'test/docs.test.ts'],
  ['cli/main.ts', 'test/cli/'],
  ['operator/runtime/reconcile/reconcile.ts', 'test/acceptance/'],
  ['operator/runtime/reconcile/reconcile.ts', 'test/operator/testing/simulation/'],
  ['crds/algorithm.ts', 'test/cli/synth.test.ts'],
  ['images/postgres/Dockerfile', 'test/images/'],
  ['.ci/run', 'test/ci/'],
  ['test/e2e/certificates/servers/image.json', 'test/images/'],
  ['test/rendered/cases/kafka.ts', 'test/rendered/'],
  ['test/kills/kafka/kills.ts', 'test/commands/program-flags.test.ts'],
  ['test/e2e/kafka/entry.json', 'test/ci/'],
])('a change of %s reaches %s', (changed, reached) => {
  expect(reachedBy([changed])).toContain(reached);
});

test('a row lists each test file that starts a compiled program', () => {
  const starting = writtenSources(join(import.meta.dirname, '..', '..')).filter(
    ({ path, text }) =>
      path.endsWith('.test.ts') && /given-build\.js|running-command\.js|acceptance\/given-operator\.js/.test(text),
  );
  const rows = beyondImports.flatMap(({ tests }) => tests);
  expect(starting.map(({ path }) => path).filter((path) => !rows.some((row) => path.startsWith(row)))).toEqual([]);
});
