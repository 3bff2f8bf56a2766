import { expect, test } from 'vitest';
import { commandsIn, wordsOf } from './page-commands.js';
import { withoutRepeatedReads } from './page-walk.js';

const block = (...lines: readonly string[]) => ['```sh', ...lines, '```'].join('\n');

test.each([
  [['npx tsc'], 'one line', block('npx tsc')],
  [['npm ci', 'npm test'], 'two commands on a line', block('npm ci && npm test')],
  [['npm run x'], 'a comment after it', block('npm run x   # explains it')],
  [['kubectl patch db a \\\n  -p 1'], 'a continuation line', block('kubectl patch db a \\', '  -p 1')],
  [
    ['kubectl apply -f - <<END\na: 1\nEND', 'npx tsc'],
    'a here-document',
    block('kubectl apply -f - <<END', 'a: 1', 'END', 'npx tsc'),
  ],
  [['set -e\nfoo\nbar'], 'a script', block('set -e', 'foo', 'bar')],
  [['npx tsc'], 'an item of a list', '1. Compile:\n\n   ```sh\n   npx tsc\n   ```\n'],
  [[], 'another language', '```yaml\nkubectl: get\n```\n'],
  [['kubectl get db orders'], 'an instruction within a sentence', 'Check `kubectl get db orders` first.'],
  [[], 'the name of a command', 'The columns of `kubectl get`, and `kubectl get db NAME`.'],
])('%j is read from %s', (commands, _, markdown) => {
  expect(commandsIn('a.md', markdown).map(({ text }) => text)).toEqual(commands);
});

test('a command has the line of the page on which it starts', () => {
  const page = `# A\n\n${block('a \\', '  b', 'c')}`;
  expect(commandsIn('a.md', page)).toEqual([
    { page: 'a.md', line: 4, text: 'a \\\n  b' },
    { page: 'a.md', line: 6, text: 'c' },
  ]);
});

test.each([
  [['kubectl', 'get', '-o', '{.a b}'], "kubectl get -o '{.a b}' | grep x"],
  [['a', '--x=b c'], 'a --x="b c" > file'],
  [['a', 'b', 'c'], 'a b \\\n  c'],
  [['kubectl', 'apply', '-f', '-'], 'kubectl apply -f - <<END\na: 1\nEND'],
])('the words are %j of %j', (words, text) => {
  expect(wordsOf(text)).toEqual(words);
});

test.each([
  [['kubectl get db orders'], 'another name', ['kubectl get db orders', 'kubectl get db orders-before']],
  [
    ['kubectl wait db a --timeout=5m'],
    'another timeout',
    ['kubectl wait db a --timeout=5m', 'kubectl wait db a --timeout=1h'],
  ],
  [['kubectl get db', 'kubectl get dbb'], 'another resource', ['kubectl get db', 'kubectl get dbb']],
  [['kubectl edit db a', 'kubectl edit db a'], 'a write', ['kubectl edit db a', 'kubectl edit db a']],
])('%j remain of reads with %s', (left, _, texts) => {
  const commands = texts.map((text) => ({ page: 'a.md', line: 1, text }));
  expect(withoutRepeatedReads(commands).map(({ text }) => text)).toEqual(left);
});
