import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, withoutComments, writtenSources } from '../../../sources.js';

const folder = 'operator/controllers/etcd';
const files = writtenSources(join(import.meta.dirname, '../../../..')).filter(({ path }) => dirname(path) === folder);

/** Lines of code, without imports, comments and empty lines. */
const linesOf = (text: string) =>
  withoutComments(text)
    .replace(/^import\b[^;]*;$/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '').length;

test('a small stateful kind takes at most 150 lines beside its construct, its engine and its image', () => {
  const lines = files
    .filter(({ path }) => path !== `${folder}/options.ts`)
    .map(({ path, text }) => [path, linesOf(text)] as const);
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(150);
});

test('it uses nothing of the operator but the members, the runtime, its image and its own port', () => {
  const inside = (path: string) => path.startsWith(`${folder}/`);
  const imported = files.flatMap((file) => importsOf(file)).filter((path) => !inside(path));
  expect([...new Set(imported)].toSorted()).toEqual([
    'constructs',
    'crds/index.ts',
    'imports/index.ts',
    'operator/images/pod-defaults.ts',
    'operator/members/index.ts',
    'operator/runtime/index.ts',
    'src/index.ts',
  ]);
});
