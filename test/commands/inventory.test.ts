import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type PageCommand, pageCommands } from './page-commands.js';
import { exceptionOf, exceptions, proofs } from './proofs.js';

const advice =
  'no test runs this command: cover it in test/commands/proofs.ts, or add it to the exceptions there with a reason';

/** The commands that neither a test covers nor an exception excuses, a line each. */
const untested = (commands: readonly PageCommand[]) =>
  commands
    .filter((command) => !proofs.some(({ covers }) => covers(command)) && !exceptionOf(command))
    .map(({ page, line, text }) => `${page}:${line}: ${text}: ${advice}`);

describe('each command of a page', () => {
  test('is run or checked by a test, or has a reason why not', () => {
    expect(untested(pageCommands())).toEqual([]);
  });

  test('fails here if it is new and has neither', () => {
    const command = { page: 'docs/new.md', line: 3, text: 'helm install reconstruct' };
    expect(untested([command])).toEqual([`docs/new.md:3: helm install reconstruct: ${advice}`]);
  });
});

test.each(exceptions)('the exception "$command" is about a command of a page that no test covers', ({ command }) => {
  const excused = pageCommands().filter(({ text }) => text.startsWith(command));
  expect(excused).not.toEqual([]);
  expect(excused.filter((one) => proofs.some(({ covers }) => covers(one)))).toEqual([]);
});

test.each(proofs)('$test covers a command', ({ test, covers }) => {
  expect(existsSync(test)).toBe(true);
  expect(pageCommands().some(covers)).toBe(true);
});
