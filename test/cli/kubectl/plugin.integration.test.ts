import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { install } from '../../acceptance/given/operator.js';
import { freshNamespace, givenControlPlane } from '../../given/control-plane.js';

const controlPlane = givenControlPlane();
const folder = mkdtempSync(join(tmpdir(), 'plugin-'));
let namespace: string;

/** The programs of the package on the PATH, as npm installs them. */
beforeAll(async () => {
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: Readonly<Record<string, string>> };
  for (const [name, file] of Object.entries(bin)) {
    writeFileSync(join(folder, name), `#!/bin/sh\nexec '${process.execPath}' '${resolve(file)}' "$@"\n`);
    chmodSync(join(folder, name), 0o755);
  }
  await install(controlPlane);
  namespace = await freshNamespace(controlPlane, 'plugged');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the real kubectl with the plug-in. */
async function kubectl(...args: readonly string[]) {
  const [program = '', ...first] = controlPlane.location.kubectl;
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}`, KUBECONFIG: controlPlane.kubeconfig };
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    execFile(program, [...first, ...args], { env }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test('kubectl lists and runs the plug-in, whose usage texts name it as its users do', async () => {
  expect((await kubectl('plugin', 'list')).stdout).toContain(join(folder, 'kubectl-reconstruct'));
  const { code, stdout } = await kubectl('reconstruct', '--help');
  expect({ code, usage: stdout.split('\n')[0] }).toEqual({
    code: 0,
    usage: 'Usage: kubectl reconstruct [options] [command]',
  });
  const verb = await kubectl('reconstruct', 'kafka', 'lag', '--help');
  expect(verb.stdout.split('\n')[0]).toBe('Usage: kubectl reconstruct kafka lag [options] <name>');
});

test.each([
  ['after the command', (): readonly string[] => ['status', '-n', namespace]],
  ['before the command', (): readonly string[] => ['-n', namespace, 'status']],
  ['with =', (): readonly string[] => [`--namespace=${namespace}`, 'status']],
])('kubectl reconstruct accepts the options of kubectl %s', async (_, args) => {
  const { code, stdout } = await kubectl('reconstruct', ...args(), '--kubeconfig', controlPlane.kubeconfig);
  expect(code).toBe(0);
  expect(stdout).toContain(`No resources in namespace ${namespace}`);
});

test('an error names the plug-in, and another context of the kubeconfig', async () => {
  const { code, stderr } = await kubectl('reconstruct', 'status', '--context', 'nowhere');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^kubectl reconstruct: .* has no context nowhere: choose another context of \S/);
});

test('kubectl completes the words of the plug-in', async () => {
  const completed = async (...words: readonly string[]) => {
    const { stdout } = await kubectl('__complete', 'reconstruct', ...words);
    return stdout.trim().split('\n');
  };
  expect(await completed('stat')).toEqual(['status', ':4']);
  expect(await completed('kafka', 'la')).toEqual(['lag\tshow the consumer groups that are the furthest behind', ':4']);
  expect(await completed('status', '-n', 'plugg')).toEqual([namespace, ':4']);
});
