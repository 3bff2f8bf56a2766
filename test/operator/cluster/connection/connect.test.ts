import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectionFrom, inClusterConnection } from '../../../../operator/cluster/connection/connect.js';
import { kubeconfig } from '../../../../operator/cluster/connection/kubeconfig.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connect-'));
});
afterEach(() => rm(folder, { recursive: true }));

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Writes a kubeconfig and returns its path. */
async function given({
  cluster = {},
  user = {},
  context = {},
  ...others
}: {
  cluster?: object;
  user?: object;
  context?: object;
  contexts?: readonly object[];
  clusters?: readonly object[];
  'current-context'?: undefined;
} = {}) {
  const config = {
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'one', user: 'me', ...context } }],
    clusters: [{ name: 'one', cluster: { server: 'https://example.org:6443', ...cluster } }],
    users: [{ name: 'me', user }],
    ...others,
  };
  const path = join(folder, 'config');
  await writeFile(path, JSON.stringify(config));
  return path;
}

describe('a kubeconfig', () => {
  it.each([
    {
      gives: { origin: 'https://example.org:6443', basePath: '', namespace: 'default' },
      when: 'it says no more than where',
      config: {},
    },
    {
      gives: { basePath: '/clusters/one' },
      when: 'the server is below a path',
      config: { cluster: { server: 'https://example.org/clusters/one/' } },
    },
    { gives: { namespace: 'team' }, when: 'the context has a namespace', config: { context: { namespace: 'team' } } },
    {
      gives: { proxy: 'http://proxy:3128' },
      when: 'there is a proxy',
      config: { cluster: { 'proxy-url': 'http://proxy:3128' } },
    },
  ])('R3 gives $gives when $when', async ({ gives, config }) => {
    expect(await kubeconfig(await given(config))).toMatchObject(gives);
  });

  it.each([
    { gives: { authorization: 'Bearer secret' }, when: 'there is a token', config: { user: { token: 'secret\n' } } },
    {
      gives: { authorization: 'Bearer FILE' },
      when: 'the token is in a file beside it',
      config: { user: { tokenFile: 'token' } },
    },
    {
      gives: { tls: { ca: 'CA' } },
      when: 'the authority is in it',
      config: { cluster: { 'certificate-authority-data': base64('CA') } },
    },
    {
      gives: { tls: { cert: 'CERT', key: 'KEY' } },
      when: 'the certificate is in it',
      config: { user: { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') } },
    },
    {
      gives: { tls: { ca: 'FILE' } },
      when: 'the authority is in a file beside it',
      config: { cluster: { 'certificate-authority': 'ca.crt' } },
    },
    {
      gives: { tls: { rejectUnauthorized: false } },
      when: 'it asks to believe any server',
      config: { cluster: { 'insecure-skip-tls-verify': true } },
    },
    {
      gives: { tls: { servername: 'kubernetes' } },
      when: 'the server has another name',
      config: { cluster: { 'tls-server-name': 'kubernetes' } },
    },
  ])('R3 gives $gives when $when', async ({ gives, config }) => {
    await writeFile(join(folder, 'ca.crt'), 'FILE');
    await writeFile(join(folder, 'token'), 'FILE\n');
    const { credentials } = await kubeconfig(await given(config));
    expect(await credentials()).toMatchObject(gives);
  });

  it.each([
    {
      fault: /has no user you: set current-context to a complete one/,
      when: 'the context is not complete',
      config: { context: { user: 'you' } },
    },
    {
      fault: /cannot read .*gone\.crt, which the kubeconfig needs/,
      when: 'a file is missing',
      config: { cluster: { 'certificate-authority': 'gone.crt' } },
    },
    {
      fault: /has no current-context: set it to the name of one of its contexts/,
      when: 'it says of no context that it is the current one',
      config: { 'current-context': undefined },
    },
  ])('R3 is refused when $when', async ({ fault, config }) => {
    await expect(kubeconfig(await given(config))).rejects.toThrow(fault);
  });

  it('R3 is refused when it is not there, and named', async () => {
    const nowhere = join(import.meta.dirname, 'nowhere.kubeconfig');
    await expect(kubeconfig(nowhere)).rejects.toThrow(`cannot read ${nowhere}, the kubeconfig: ENOENT`);
  });
});

describe('a context that is asked for', () => {
  /** One file, and the same with a second one, which adds nothing. */
  const two = async () => {
    const contexts = [
      { name: 'here', context: { cluster: 'one', user: 'me' } },
      { name: 'there', context: { cluster: 'two', user: 'me', namespace: 'team' } },
      { name: 'broken', context: { cluster: 'lost', user: 'me' } },
    ];
    const clusters = ['one', 'two'].map((name) => ({ name, cluster: { server: `https://${name}.example.org` } }));
    const path = await given({ contexts, clusters });
    const empty = join(folder, 'empty');
    await writeFile(empty, JSON.stringify({ contexts: [], clusters: [], users: [] }));
    return { path, several: `${path}:${empty}` };
  };

  it.each(['path', 'several'] as const)('is the one of the kubeconfig: %s', async (files) => {
    const paths = (await two())[files];
    expect(await kubeconfig(paths, 'there')).toMatchObject({ origin: 'https://two.example.org', namespace: 'team' });
    expect(await kubeconfig(paths)).toMatchObject({ origin: 'https://one.example.org', namespace: 'default' });
  });

  it.each([
    { fault: 'no context where: choose another context of here, there, broken', context: 'where', files: 'path' },
    { fault: 'no context where: choose another context of here, there, broken', context: 'where', files: 'several' },
    { fault: 'no cluster lost: choose another context of here, there, broken', context: 'broken', files: 'path' },
  ] as const)('is refused with "$fault"', async ({ fault, context, files }) => {
    await expect(kubeconfig((await two())[files], context)).rejects.toThrow(fault);
  });

  it('is refused in a pod without a kubeconfig', async () => {
    await expect(connectionFrom({ KUBERNETES_SERVICE_HOST: '10.0.0.1', HOME: folder }, 'there')).rejects.toThrow(
      'context there needs a kubeconfig: set KUBECONFIG',
    );
  });
});

describe('a kubeconfig that is not YAML', () => {
  it('the error names the line and hides its content', async () => {
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'broken');
    await writeFile(file, 'users:\n- name: a\n  user: {token: "top-secret\n');
    const fault = await kubeconfig(file).catch((error: Error) => `${error.message} ${error.stack}`);
    expect(fault).toMatch(/broken is not valid YAML at line \d+/);
    expect(fault).not.toContain('top-secret');
  });
});

describe('a pod', () => {
  const mount = async (token: string, ca = 'CA') => {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries({ token: `${token}\n`, 'ca.crt': ca, namespace: 'team' })) {
      await writeFile(join(folder, name), text);
    }
  };

  it.each([
    { origin: 'https://10.0.0.1:443', host: '10.0.0.1' },
    { origin: 'https://[fd00::1]:443', host: 'fd00::1' },
  ])('R3 finds its API server at $origin', async ({ origin, host }) => {
    await mount('secret');
    expect(await inClusterConnection({ host, port: '443', folder })).toMatchObject({ origin, namespace: 'team' });
  });

  it('R3 reads its token again after 60 s and keeps unchanged credentials', async () => {
    let now = 0;
    await mount('first');
    const { credentials } = await inClusterConnection({ host: 'a', port: '443', folder, monotonic: () => now });
    const first = await credentials();
    expect(first).toEqual({ authorization: 'Bearer first', tls: { ca: 'CA' } });
    await mount('second');
    now = 59_999;
    expect(await credentials()).toBe(first);
    now = 60_000;
    const second = await credentials();
    expect(second.authorization).toBe('Bearer second');
    expect(second.tls).toBe(first.tls);
    await mount('second', 'ANOTHER');
    now = 120_000;
    expect((await credentials()).tls).toEqual({ ca: 'ANOTHER' });
  });
});

describe('the surroundings', () => {
  it('R3 offer KUBECONFIG before all else', async () => {
    const connection = await connectionFrom({ KUBECONFIG: await given(), KUBERNETES_SERVICE_HOST: '10.0.0.1' });
    expect(connection.origin).toBe('https://example.org:6443');
  });

  it('R3 offer the kubeconfig in the home folder', async () => {
    await mkdir(join(folder, '.kube'));
    const path = await given({ cluster: { server: 'https://home.example.org' } });
    await copyFile(path, join(folder, '.kube', 'config'));
    expect((await connectionFrom({ HOME: folder })).origin).toBe('https://home.example.org');
  });

  it('R3 without credentials have an error with a fix', async () => {
    await expect(connectionFrom({ HOME: folder })).rejects.toThrow(
      'no API server is configured: set KUBECONFIG, create ~/.kube/config, or run in a pod with a service account',
    );
  });
});
