import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Shell, scripts } from '../../../cli/completion/scripts.js';
import { build } from '../../given/build.js';
import { freshNamespace, givenControlPlane } from '../../given/control-plane.js';

const controlPlane = givenControlPlane();
const folder = mkdtempSync(join(tmpdir(), 'shells-'));
let namespace: string;

/** A program on the PATH that completes as the command does, and otherwise prints its arguments. */
beforeAll(async () => {
  namespace = await freshNamespace(controlPlane, 'completed');
  const main = resolve(build, 'cli', 'main.js');
  const lines = [
    '#!/bin/sh',
    `case "$1" in completion | __complete) exec '${process.execPath}' '${main}' "$@" ;; esac`,
    `printf 'RAN:'; printf '<%s>' "$@"; echo ';'`,
  ];
  writeFileSync(join(folder, 'reconstruct'), lines.join('\n'));
  chmodSync(join(folder, 'reconstruct'), 0o755);
  writeFileSync(join(folder, 'orders-of-today.yaml'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

/** How each shell is started without the settings of its user, and loads the script. Its prompt is `READY> `. */
const shells: Readonly<Record<Shell, { readonly start: readonly string[]; readonly load: string }>> = {
  bash: { start: ['--norc', '--noprofile', '-i'], load: `source <(reconstruct completion bash); PS1=READY'> '` },
  zsh: {
    start: ['-f', '-i'],
    load: `autoload -U compinit; compinit -u -D; source <(reconstruct completion zsh); PS1=READY'> '`,
  },
  fish: {
    start: ['-N', '-i'],
    load: `reconstruct completion fish | source; function fish_prompt; echo -n READY'> '; end`,
  },
};

/** The arguments with which the command runs, after a person has typed keys. */
async function ranWith(shell: Shell, keys: string): Promise<string> {
  const { start, load } = shells[shell];
  const steps = [
    ['', `${load}\n`],
    ['READY> ', `${keys}\n`],
    ['RAN:', ''],
    [';', ''],
  ];
  const env = {
    ...{ PATH: `${folder}:${process.env['PATH']}`, HOME: folder, TERM: 'xterm', LANG: 'C.UTF-8' },
    KUBECONFIG: controlPlane.kubeconfig,
  };
  const script = join(import.meta.dirname, 'typed.py');
  const child = spawn('python3', [script, JSON.stringify(steps), shell, ...start], { env, cwd: folder });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect(stderr).toBe('');
  return /RAN:(.*);/.exec(stdout)?.[1] ?? stdout;
}

describe.each(Object.keys(scripts) as Shell[])('%s', (shell) => {
  test.each<[completes: string, keys: string, ran: () => string]>([
    ['a command', 'reconstruct stat\t', () => '<status>'],
    ['a command of a system', 'reconstruct kafka la\t', () => '<kafka><lag>'],
    ['an option', 'reconstruct status --all\t', () => '<status><--all-namespaces>'],
    ['a kind', 'reconstruct status kafkat\t', () => '<status><kafkatopics>'],
    ['a kind without a space after its slash', 'reconstruct diff kafkat\tweb', () => '<diff><kafkatopics/web>'],
    ['a namespace of the cluster', 'reconstruct status -n complete\t', () => `<status><-n><${namespace}>`],
    [
      'the value of an option after =',
      'reconstruct status --namespace=complete\t',
      () => `<status><--namespace=${namespace}>`,
    ],
    ['a value before the end of the words', 'reconstruct -n complete\tstatus', () => `<-n><${namespace}><status>`],
    ['a file', 'reconstruct plan -f orders-of\t', () => '<plan><-f><orders-of-today.yaml>'],
  ])('completes %s', async (_, keys, ran) => {
    if (!isInstalled(shell)) {
      console.warn(`skipped, because ${shell} is not installed; install it to run this test`);
      return;
    }
    expect(await ranWith(shell, keys)).toBe(ran());
  });
});

test('bash completes nothing of an unknown command, and without bash-completion', async () => {
  expect(await ranWith('bash', 'reconstruct nothing x\t')).toBe('<nothing><x>');
  expect(scripts.bash).not.toContain('_get_comp_words_by_ref');
});
