import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { ConditionSet } from '../../../operator/runtime/controller/conditions.js';

const root = 'operator';
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const declaring = files.filter((name) => name.startsWith('controllers/') && name.endsWith('/conditions.ts'));

/** What several kinds share, and what the runtime reports in the place of a controller. */
const shared = ['consumers/', 'dns/', 'kafka/', 'members/', 'pods/', 'runtime/status/', 'runtime/controller/'];

/** The code that may report the conditions of a controller: its system's folder and what is shared. */
function codeFor(conditions: string): string {
  const [, system = ''] = dirname(conditions).split('/');
  const isNear = (name: string) => [`controllers/${system}/`, ...shared].some((folder) => name.startsWith(folder));
  const texts = files.filter((name) => isNear(name) && !name.endsWith('/conditions.ts'));
  return texts
    .map((name) => readFileSync(join(root, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''))
    .join('\n');
}

const isConditions = (value: unknown): value is ConditionSet =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).length > 0 &&
  Object.values(value).every((reasons) => Object.values(reasons as object).every(Array.isArray));

test.each(declaring)('each reason in %s is reported by some code', async (path) => {
  const exported = Object.values((await import(resolve(root, path))) as object).filter(isConditions);
  expect(exported).not.toEqual([]);
  const code = codeFor(path);
  const unused = exported.flatMap((conditions) =>
    Object.entries(conditions).flatMap(([type, reasons]) =>
      Object.keys(reasons)
        .filter((reason) => !code.includes(`'${reason}'`))
        .map((reason) => `${type} ${reason}`),
    ),
  );
  expect(unused).toEqual([]);
});
