import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * Compiles the package, or what another configuration names, into a folder that the calling test file has until its end, and returns it: for tests that
 * run the code in a process of its own.
 */
export function givenCompiledCode(configuration = 'tsconfig.build.json'): string {
  // Under node_modules, so that the compiled code finds its dependencies.
  const folder = mkdtempSync(join('node_modules', '.compiled-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  spawnSync(process.execPath, [compiler, '-p', configuration, '--outDir', folder], { stdio: 'inherit' });
  return folder;
}

/** The process ids of all that a process has started, directly or not. */
export function descendantsOf(pid: number): readonly number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const childrenOf = (parent: number): readonly number[] =>
    rows.filter(([, ppid]) => ppid === parent).flatMap(([child = 0]) => [child, ...childrenOf(child)]);
  return childrenOf(pid);
}

/** Whether a process is there. */
export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
