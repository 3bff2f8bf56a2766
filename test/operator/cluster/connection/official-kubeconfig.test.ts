import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { kubeconfig } from '../../../../operator/cluster/connection/kubeconfig.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
});
afterAll(() => rm(folder, { recursive: true }));

afterEach(() => void vi.useRealTimers());

let files = 0;
/** Writes a kubeconfig and returns its path. */
async function given(config: object): Promise<string> {
  const path = join(folder, `config-${files++}`);
  await writeFile(path, JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...config }));
  return path;
}

const contexts = [{ name: 'here', context: { cluster: 'one', user: 'me', namespace: 'team' } }];
const server = 'https://example.org:6443/below';
const clusters = [{ name: 'one', cluster: { server, 'proxy-url': 'http://proxy:3128' } }];
const complete = (user: object) => ({ 'current-context': 'here', contexts, clusters, users: [{ name: 'me', user }] });

/** A plug-in that prints a token. */
const plugin = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: process.execPath,
  args: [
    '-e',
    `console.log(JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token: 'from-a-plug-in' } }))`,
  ],
  interactiveMode: 'Never',
};

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** An identity token that is good until the year 2100. */
const idToken = `${base64({ alg: 'none' })}.${base64({ exp: 4_102_444_800 })}.`;

describe('a kubeconfig that is left to the official client', () => {
  it.each([
    { logsInBy: 'Bearer from-a-plug-in', when: 'a plug-in gives the token', user: { exec: plugin } },
    {
      logsInBy: `Bearer ${idToken}`,
      when: 'it names an OIDC provider',
      user: { 'auth-provider': { name: 'oidc', config: { 'id-token': idToken, 'refresh-token': 'x' } } },
    },
    { logsInBy: 'Basic bWU6c2VjcmV0', when: 'it has a password', user: { username: 'me', password: 'secret' } },
  ])('R3 logs in by $logsInBy when $when', async ({ logsInBy, user }) => {
    const connection = await kubeconfig(await given(complete(user)));
    expect((await connection.credentials()).authorization).toBe(logsInBy);
    expect(connection).toMatchObject({
      ...{ origin: 'https://example.org:6443', basePath: '/below', namespace: 'team' },
      proxy: 'http://proxy:3128',
    });
  });

  it('R25 fails without the output of a plugin, which can contain a secret', async () => {
    const exec = { ...plugin, command: 'echo', args: ['hunter2-token'] };
    const { credentials } = await kubeconfig(await given(complete({ exec })));
    const error = await Promise.resolve(credentials()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: 'the plugin printed no ExecCredential: it must print one as JSON' });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hunter2');
  });

  it('R25 fails with the message of a plugin that has no credentials', async () => {
    const exec = { ...plugin, command: 'sh', args: ['-c', 'echo log in first >&2; exit 1'] };
    const { credentials } = await kubeconfig(await given(complete({ exec })));
    await expect(async () => credentials()).rejects.toThrow('log in first');
  });

  it('R3 is put together of several files', async () => {
    const where = await given({ 'current-context': 'here', contexts, clusters, users: [] });
    const who = await given({ contexts: [], clusters: [], users: [{ name: 'me', user: { token: 'secret' } }] });
    const { credentials, origin } = await kubeconfig([where, who].join(delimiter));
    expect([origin, (await credentials()).authorization]).toEqual(['https://example.org:6443', 'Bearer secret']);
  });
});

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it.each([
  { what: 'that hangs', script: (note: string) => `echo $$ >>${note}; exec sleep 600` },
  { what: 'whose own child hangs', script: (note: string) => `sleep 600 & echo $! >>${note}; echo $$ >>${note}; wait` },
])('R3 a plug-in $what is ended after five minutes, and keeps nothing open', async ({ script }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const note = join(folder, `plugin-${files++}`);
  const exec = { ...plugin, command: '/bin/sh', args: ['-c', script(note)] };
  const connection = await kubeconfig(await given(complete({ exec })));
  const noted = async () => (await readFile(note, 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number);
  const pipes = () => process.getActiveResourcesInfo().filter((one) => one === 'PipeWrap').length;
  const before = pipes();
  const asked = Promise.resolve(connection.credentials()).catch(({ message }: Error) => message);
  await vi.waitFor(async () => expect(await noted()).not.toEqual([]), { timeout: 120_000, interval: 20 });
  expect(pipes()).toBeGreaterThan(before);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await asked).toBe('no credentials in 60000 ms');
  expect(isAlive((await noted()).at(-1) as number)).toBe(true);
  await vi.advanceTimersByTimeAsync(240_000);
  const [first, own = first] = (await noted()) as [number, number?];
  await vi.waitFor(() => expect([isAlive(own as number), pipes()]).toEqual([false, before]), { timeout: 120_000 });
  if (isAlive(first)) process.kill(first);
});
