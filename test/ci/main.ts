import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { chosenKinds } from './chosen-kinds.js';
import { triedKinds } from './tried-kinds.js';

/** Commits of the hours before HEAD are one piece of work. */
const hours = 6;

const day = 24 * 60 * 60;

/** Prints the kinds to test, a line each, with the script of those that have one. The reasons for omitted kinds go to standard error. */
function main(args: readonly string[]): void {
  const options = { minutes: { type: 'string', default: '1000' }, all: { type: 'boolean', default: false } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const kinds = triedKinds();
  const now = Number(git('log', '-1', '--format=%ct'));
  const { chosen, leftOut } = chosenKinds(kinds, {
    changed: values.all ? Object.values(kinds).flatMap(({ sources }) => sources) : changedSince(now - hours * 60 * 60),
    day: Math.floor(now / day),
    minutes: Number(values.minutes),
  });
  for (const reason of leftOut) console.error(`left out: ${reason}`);
  for (const kind of chosen) console.log(`${kind} ${kinds[kind]?.script ?? ''}`.trim());
}

/** Of the commits since then, paths from the root. @param time seconds since 1970 */
function changedSince(time: number): readonly string[] {
  const paths = git('log', `--since=${time}`, '--format=', '--name-only', '--no-renames');
  return [...new Set(paths.split('\n').filter(Boolean))];
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).trim();
}

main(process.argv.slice(2));
