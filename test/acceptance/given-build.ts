import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const sources = ['crds', 'imports', 'src', 'operator', 'cli'];
const entry = join('build', 'operator', 'main.js');

/**
 * The entry point of the operator as `npm run build` makes it, from the sources as they are now.
 * @throws {Error} when nothing is built
 */
export function givenBuild(): string {
  if (newestSource() <= modified(entry)) return entry;
  // Code with type errors is emitted all the same; those are told by the type-check that `npm test` begins with.
  const { stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], { encoding: 'utf8' });
  if (newestSource() <= modified(entry)) return entry;
  throw new Error(`${entry} is older than its sources, and building does not help: ${stdout}${stderr}`);
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
