import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../cli/commands.js';
import type { NameSources } from '../../../cli/completion/cluster-names.js';
import { completionsOf } from '../../../cli/completion/complete.js';
import { answerLines, directive } from '../../../cli/completion/protocol.js';
import { allKinds } from '../../../crds/index.js';

/** A cluster with two contexts and three namespaces, whose resources are named by their kind and place. */
const asked: string[] = [];
const sources: NameSources = {
  contexts: async () => ['home', 'work'],
  namespaces: async ({ context = 'home' }) => [`${context}-shop`, 'team'],
  resources: async ({ kind }, { namespace = 'default', context = 'home' }) => {
    asked.push(`${kind} ${context} ${namespace}`);
    return ['carts', 'orders'];
  },
};

const complete = (...words: readonly string[]) => completionsOf({ name: 'reconstruct', commands }, words, sources);
const valuesOf = async (...words: readonly string[]) => (await complete(...words)).values.map(({ value }) => value);
const kinds = allKinds.map(({ plural }) => plural);
const access = ['--namespace', '--kubeconfig', '--context'];

test.each<[words: readonly string[], values: readonly string[]]>([
  [[''], Object.keys(commands)],
  [['st'], ['status']],
  [['c'], ['cluster', 'check', 'certificates', 'completion']],
  [['nothing', ''], []],
  [['--v'], ['--version']],
  [
    ['-n', ''],
    ['home-shop', 'team'],
  ],
  [['--context', 'work', '-n', 'w'], ['work-shop']],
  [['-n', 'team', 'st'], ['status']],
  [
    ['algo', ''],
    ['watch', 'history', 'promote', 'abort', 'pause', 'resume'],
  ],
  [
    ['algo', 'p'],
    ['promote', 'pause'],
  ],
  [['status', '--n'], ['--namespace']],
  [
    ['status', '-n', ''],
    ['home-shop', 'team'],
  ],
  [['status', '--context', 'w'], ['work']],
  [['status', '--context=w'], ['--context=work']],
  [['--context=w'], ['--context=work']],
  [
    ['status', '--context=work', '--namespace='],
    ['--namespace=work-shop', '--namespace=team'],
  ],
  [
    ['status', '-o', ''],
    ['text', 'json'],
  ],
  [['status', ''], kinds],
  [
    ['status', 'kafka'],
    ['kafkaclusters', 'kafkatopics', 'kafkausers'],
  ],
  [['status', 'db', 'o'], ['orders']],
  [['status', 'Database.reconstruct.dev', 'o'], ['orders']],
  [['status', 'nothing', ''], []],
  [['status', 'databases/o'], ['databases/orders']],
  [['status', '--', '-'], []],
  [['status', '--', '-n', ''], []],
  [
    ['diff', 'database'],
    ['databases/', 'databasebackups/'],
  ],
  [
    ['diff', 'db/'],
    ['db/carts', 'db/orders'],
  ],
  [['diff', 'module.js', 'db/c'], ['db/carts']],
  [
    ['kafka', 'lag', ''],
    ['carts', 'orders'],
  ],
  [['kafka', 'drain', 'carts', ''], []],
  [['kafka', 'lag', 'carts', ''], []],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['check', '--o'], ['--output']],
])('after reconstruct %j come %j', async (words, values) => {
  expect(await valuesOf(...words)).toEqual(values);
});

test.each([
  { how: directive.noFiles, words: ['status', ''] },
  { how: directive.noFiles, words: ['kafka', 'drain', 'carts', ''] },
  { how: directive.files, words: ['plan', ''] },
  { how: directive.files, words: ['plan', '-f', ''] },
  { how: directive.files, words: ['status', '--kubeconfig='] },
  { how: directive.files, words: ['status', '--module', ''] },
  { how: directive.files, words: ['import', 'a.yaml', ''] },
  { how: directive.files, words: ['import', '--out', ''] },
  { how: directive.noSpace, words: ['diff', 'da'] },
])('the shell gets directive $how for $words', async ({ how, words }) => {
  const { directive: given = directive.noFiles } = await complete(...words);
  expect(given).toBe(how);
});

test('names of resources are those of the place that the words name', async () => {
  asked.length = 0;
  await complete('status', 'db', '--context', 'work', '-n', 'shop', '');
  await complete('-n', 'team', 'algo', 'watch', '');
  await complete('algo', 'watch', '');
  expect(asked).toEqual(['Database work shop', 'Algorithm home team', 'Algorithm home default']);
});

describe.each(Object.keys(commands))('the command %s', (name) => {
  test('has completions for each option and each argument, without an error', async () => {
    const command = (await commands[name]?.()) ?? new Command();
    for (const one of command.commands.length > 0 ? command.commands : [command]) {
      const path = one === command ? [name] : [name, one.name()];
      const visible = one.options.filter(({ hidden }) => !hidden).map(({ long }) => long);
      expect(await valuesOf(...path, '--')).toEqual([...visible, '--help']);
      for (const long of visible) await complete(...path, String(long), '');
      const given = one.registeredArguments.map(() => 'a');
      for (const [index] of given.entries()) await complete(...path, ...given.slice(0, index), '');
      if (visible.includes('--kubeconfig') && name !== 'demo')
        expect(visible).toEqual(expect.arrayContaining(['--context']));
    }
  });
});

test('commands for a resource complete its place', async () => {
  for (const words of [['algo', 'watch'], ['kafka', 'topics'], ['certificates', 'renew'], ['status']])
    expect(await valuesOf(...words, '--')).toEqual(expect.arrayContaining(access));
});

test('the answer has a line for each word with its description, and then the directive', () => {
  const values = [{ value: 'a', description: 'first\n  letter' }, { value: 'b' }];
  expect(answerLines({ values })).toEqual(['a\tfirst letter', 'b', ':4']);
  expect(answerLines({ values: [], directive: directive.files })).toEqual([':0']);
});
