import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createVitest, type TestSpecification } from 'vitest/node';
import { reachedBy } from './beyond-imports.js';
import { options } from './options.js';

const usage = `usage: npm run test:changed -- [options] [commit]

Runs the tests that can break by what was changed since a commit, what is not committed included. Without one: since
HEAD, or where everything is committed, by the last commit.

  --unit  leave out the tests on a real control plane`;

async function main(args: readonly string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help) {
    console.log(usage);
    return true;
  }
  const changed = changedSince(positionals[0]);
  if (changed.length === 0) {
    console.log('nothing was changed');
    return true;
  }
  const related = changed.filter((path) => existsSync(path)).map((path) => resolve(path));
  const vitest = await createVitest('test', { run: true, watch: false, related, passWithNoTests: true });
  try {
    const byImports = await vitest.getRelevantTestSpecifications();
    vitest.config.related = undefined;
    const reached = reachedBy(changed);
    const beyond = reached.length === 0 ? [] : await vitest.globTestSpecifications([...reached]);
    const specifications = [...new Map([...byImports, ...beyond].map((one) => [keyOf(one), one])).values()].filter(
      ({ moduleId }) => !values.unit || !moduleId.endsWith('.integration.test.ts'),
    );
    console.log(`${changed.length} files changed; ${specifications.length} files of tests can break by that`);
    if (specifications.length === 0) return true;
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    return unhandledErrors.length === 0 && testModules.every((one) => one.ok());
  } finally {
    await vitest.close();
  }
}

const keyOf = ({ project, moduleId }: TestSpecification) => `${project.name} ${moduleId}`;

/** Paths from the root. */
function changedSince(commit: string | undefined): readonly string[] {
  const uncommitted = git('ls-files', '--others', '--exclude-standard');
  const isClean = uncommitted.length === 0 && git('diff', '--name-only', 'HEAD').length === 0;
  return [...uncommitted, ...git('diff', '--name-only', commit ?? (isClean ? 'HEAD~1' : 'HEAD'))];
}

function git(...args: readonly string[]): readonly string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

main(process.argv.slice(2)).then(
  (passed) => {
    process.exitCode = passed ? 0 : 1;
  },
  (error: unknown) => {
    console.error(`test:changed: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 2;
  },
);
