import { expect, test } from 'vitest';
import { runShell } from './kubectl.js';

test.each([
  { does: 'its arguments one by one', line: 'printf "%s|"', args: ['a b', '$HOME', "it's"], output: "a b|$HOME|it's|" },
  { does: 'arguments of the line first', line: 'printf "%s|" node', args: ['kill', '2'], output: 'node|kill|2|' },
])('a line of shell gets $does', async ({ line, args, output }) => {
  expect(await runShell(line, args)).toBe(output);
});

test('the shell command reads its standard input', async () => {
  expect(await runShell('cat', [], 'text')).toBe('text');
});

test.each([
  { told: 'what it complained of', line: 'echo no such node >&2; false', message: /: no such node$/ },
  { told: 'how it ended when it was silent', line: 'exit 3;', message: /: ended with 3$/ },
])('a line of shell that fails tells $told', async ({ line, message }) => {
  await expect(runShell(line, ['kill'])).rejects.toThrow(message);
});
