import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { operatorProgram } from '../given/build.js';

const sources = ['crds', 'imports', 'src', 'operator', 'cli'];

/**
 * Builds the package where a source is newer: tests start what is in `build/` in processes of its own.
 * @throws {Error} when there is nothing to start
 */
export function setup(): void {
  if (newestSource() <= modified(operatorProgram)) return;
  // Code with type errors is emitted too. The type-check of `npm test` reports the errors.
  const { stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], { encoding: 'utf8' });
  if (newestSource() <= modified(operatorProgram)) return;
  throw new Error(`${operatorProgram} is older than its sources, and building does not help: ${stdout}${stderr}`);
}

function newestSource(): number {
  const files = sources.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );
  return Math.max(...files.map(modified));
}

/** Milliseconds since 1970; 0 for what is not there. */
function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
