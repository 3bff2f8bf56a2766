import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import { redisAnswers } from '../../../../operator/engines/leader/redis-client.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { launcherAbsence, redisServers } from './given-launcher.js';
import { namespace, redisPort } from './local-candidate.js';
import { LocalElection } from './local-election.js';

if (launcherAbsence !== undefined) console.warn(launcherAbsence);

describe.skipIf(launcherAbsence)('an election of servers with TLS', () => {
  const serverName = `cache-leader.${namespace}.svc`;
  let [folder, authority] = ['', ''];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redis-tls-'));
    const issuer = await CertificateAuthority.create();
    authority = issuer.own.certificate;
    const { certificate, key } = await issuer.issue({ commonName: 'cache', hosts: [serverName] });
    for (const [name, text] of Object.entries({ 'ca.crt': authority, 'tls.crt': certificate, 'tls.key': key }))
      await writeFile(join(folder, name), text, { mode: 0o600 });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('replicates, is asked by the operator, and keeps a confirmed write when its leader ends', async () => {
    const at = (name: string) => join(folder, name);
    const secret = {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'cache-ca', namespace } },
      data: { 'ca.crt': Buffer.from(authority).toString('base64') },
    } as Manifest;
    const files = [
      '--tls-cert-file',
      at('tls.crt'),
      '--tls-key-file',
      at('tls.key'),
      '--tls-ca-cert-file',
      at('ca.crt'),
    ];
    await using world = await LocalElection.start(redisServers[0]?.[1] ?? '', {
      flags: [
        '--port',
        '0',
        '--tls-port',
        `${redisPort}`,
        ...files,
        '--tls-replication',
        'yes',
        '--tls-auth-clients',
        'no',
      ],
      spec: { application: { redis: { tls: { caSecretRef: { name: 'cache-ca' } } } } },
      secrets: [secret],
    });
    const ask = (address: string, ...commands: string[][]) =>
      redisAnswers({ address, port: redisPort, tls: { authority, serverName } }, commands, AbortSignal.timeout(5_000));
    const before = await world.untilWell();
    expect(await ask(before.address, ['SET', 'key', 'kept'], ['WAIT', '1', '2000'])).toEqual([
      'OK',
      expect.any(Number),
    ]);
    before.signalLauncher('SIGTERM');
    await expect.poll(() => world.term(), { timeout: 30_000 }).toBe(2);
    const after = await world.untilWell();
    expect(await ask(after.address, ['GET', 'key'])).toEqual(['kept']);
    // The operator has asked the leader by a connection whose certificate it has checked.
    const { status } = await world.resource();
    expect(status?.conditions?.find(({ type }) => type === 'Serving')).toMatchObject({ status: 'True' });
  }, 120_000);
});
