import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { givenCompiledCode } from '../given-compiled-code.js';
import { RunningCommand } from './demo/running-command.js';

const compiled = givenCompiledCode();

async function outcome(...args: readonly string[]) {
  await using running = new RunningCommand(compiled, args);
  const code = await running.exited;
  await running.nothingLeft([]);
  return { code, stdout: running.stdout, stderr: running.stderr };
}

test.each([
  ['reconstruct: nowhere.yaml cannot be read: ENOENT; give the path of a YAML file\n', 'import', 'nowhere.yaml'],
  ["error: unknown command 'nothing'\n", 'nothing'],
  ["error: missing required argument 'file'\n", 'import'],
  ["error: unknown option '--twice'\n", 'demo', '--twice'],
])('says in one line what is wrong: %s', async (stderr, ...args) => {
  expect(await outcome(...args)).toEqual({ code: 1, stdout: '', stderr });
});

test('says in one line that a kubeconfig is missing', async () => {
  const { code, stderr } = await outcome('demo', '--kubeconfig', 'nowhere');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^reconstruct: cannot read .*nowhere.*\n$/),
  });
});

test('knows its version', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(await outcome('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('names its commands', async () => {
  const { stdout } = await outcome('--help');
  expect(stdout).toMatch(/\n {2}demo \[options\] +\w/);
  expect(stdout).toMatch(/\n {2}import \[options\] <file> +\w/);
});
