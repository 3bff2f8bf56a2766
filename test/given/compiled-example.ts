import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const tsc = join('node_modules', 'typescript', 'bin', 'tsc');

/**
 * Compiles an example into a folder of the built package. The example imports the package by its name, which leads to
 * build/, so its code must be in the package. The package is not built again here, because other tests start what is in
 * build/.
 * @returns the folder, for the caller to remove
 */
export function compiledExample(example: string): string {
  const made = mkdtempSync(join('build', '.example-'));
  const compilerOptions = { noEmit: false, rootDir: '../..', outDir: '.' };
  const include = [`../../${example}`];
  const config = join(made, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, include }));
  const { status } = spawnSync(process.execPath, [tsc, '-p', config], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${config} does not compile: see above`);
  return made;
}
