import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CertificateAuthority } from '../../../operator/certificates/authority.js';
import { Guard } from '../../../operator/telemetry/guard.js';
import { type Listening, serve } from '../../../operator/telemetry/server.js';
import { FakeClock } from '../fake-clock.js';

const authority = await CertificateAuthority.create();
const pages = { '/metrics': { body: () => 'up 1\n' } };

let folder: string;
let server: Listening | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'metrics-tls-'));
  await certify();
});
afterEach(async () => {
  vi.useRealTimers();
  await server?.close();
  await rm(folder, { recursive: true });
});

/** Puts a new certificate into the folder. */
async function certify(): Promise<void> {
  const { certificate, key } = await authority.issue({ commonName: 'metrics', hosts: ['localhost'] });
  await Promise.all([writeFile(join(folder, 'tls.crt'), certificate), writeFile(join(folder, 'tls.key'), key)]);
}

/** Asks over a connection of its own; `serial` is that of the server's certificate. */
async function ask(path = '/metrics', headers: Record<string, string> = {}) {
  let serial = '';
  const checkServerIdentity = (_: string, { serialNumber }: { serialNumber: string }) => {
    serial = serialNumber;
    return undefined;
  };
  const dispatcher = new Agent({ connect: { ca: authority.own.certificate, checkServerIdentity } });
  const { statusCode, body } = await request(`https://localhost:${server?.port}${path}`, { headers, dispatcher });
  const text = await body.text();
  await dispatcher.close();
  return { code: statusCode, text, serial };
}

describe('metrics with a certificate', () => {
  it('R32 are served over TLS alone', async () => {
    server = await serve(0, pages, { tlsFolder: folder });
    expect(await ask()).toMatchObject({ code: 200, text: 'up 1\n' });
    await expect(fetch(`http://localhost:${server.port}/metrics`)).rejects.toThrow();
  });

  it('R32 have a new one as soon as there is one, and keep the old one while it is half written', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const failures: unknown[] = [];
    server = await serve(0, pages, { tlsFolder: folder, failed: (error) => failures.push(error) });
    const { serial } = await ask();
    await writeFile(join(folder, 'tls.crt'), 'half');
    vi.advanceTimersByTime(60_000);
    expect([(await ask()).serial, failures.length]).toEqual([serial, 1]);
    await certify();
    vi.advanceTimersByTime(60_000);
    expect((await ask()).serial).not.toBe(serial);
  });
});

describe('metrics with a guard', () => {
  it.each([
    { code: 200, text: 'up 1\n', path: '/metrics', token: 'good' },
    { code: 401, text: 'a token that the API server accepts is required\n', path: '/metrics', token: 'forged' },
    { code: 403, text: 'the bearer of the token has no permission\n', path: '/metrics', token: 'weak' },
    { code: 503, text: 'the token could not be reviewed\n', path: '/metrics', token: 'unlucky' },
    { code: 401, text: 'a token that the API server accepts is required\n', path: '/other', token: 'forged' },
    { code: 404, text: 'not found\n', path: '/other', token: 'good' },
  ])('R32 answer $code to a $token token at $path', async ({ code, text, path, token }) => {
    const answers = { good: 'allowed', weak: 'forbidden', forged: 'unknown' } as const;
    const guard = new Guard(new FakeClock(), async (shown) => {
      if (shown === 'unlucky') throw new Error('no answer');
      return answers[shown as keyof typeof answers];
    });
    server = await serve(0, pages, { tlsFolder: folder, guard });
    expect(await ask(path, { authorization: `Bearer ${token}` })).toMatchObject({ code, text });
  });
});
