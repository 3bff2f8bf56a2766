import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ConfigMap, type LiveConfigMap } from '../../../../operator/runtime/index.js';
import { CertificateWorld, certificateKind, givenCertificate, givenIssuer, issuerKind } from './given-certificates.js';

const day = 86_400_000;
let world: CertificateWorld;
afterEach(() => world.close());

const crl = (revoked: readonly string[] = []) => ({ crl: { configMap: 'internal-crl', revoked: [...revoked] } });
const list = async () => {
  const live = await world.operator.memory.read(ConfigMap, { namespace: 'shop', name: 'internal-crl' });
  return (live as LiveConfigMap | undefined)?.data?.['ca.crl'];
};
const start = () =>
  CertificateWorld.start(
    [issuerKind, givenIssuer({ commonName: 'internal CA' }, crl())],
    [certificateKind, givenCertificate()],
  );

describe('line 12: the revocation list of an Issuer', () => {
  it('is signed, and signed anew when a serial number is added or it is edited', async () => {
    world = await start();
    const first = await list();
    expect(first).toMatch(/^-----BEGIN X509 CRL-----/);
    const serial = (await world.certificate()).status?.serialNumber ?? '';
    await world.operator.given(issuerKind, givenIssuer({ commonName: 'internal CA' }, crl([serial])));
    await world.rest();
    const second = await list();
    expect(second).not.toBe(first);
    expect((await world.issuer()).status?.crl?.number).toBeGreaterThan(1_800_000_000);

    await world.remove(ConfigMap, 'internal-crl');
    expect(await list()).toMatch(/^-----BEGIN X509 CRL-----/);
    expect(world.questions.filter(({ port }) => port === 'reconstruct/certificate-revocation')).toHaveLength(3);
  });

  it('is signed anew when a third of its week is left, and costs nothing before', async () => {
    world = await start();
    const first = await list();
    await world.after(4 * day);
    expect(await list()).toBe(first);
    await world.after(day);
    expect(await list()).not.toBe(first);
  });

  it('lists the certificate that OpenSSL then refuses', async ({ skip }) => {
    if (spawnSync('openssl', ['version']).status !== 0) skip('openssl is not installed');
    world = await start();
    const serial = (await world.certificate()).status?.serialNumber ?? '';
    await world.operator.given(issuerKind, givenIssuer({ commonName: 'internal CA' }, crl([serial])));
    await world.rest();
    const folder = mkdtempSync(join(tmpdir(), 'crl-'));
    try {
      const file = (name: string, text = '') => {
        writeFileSync(join(folder, name), text);
        return join(folder, name);
      };
      const secret = await world.secret();
      const args = ['-CAfile', file('ca', secret?.['ca.crt']), '-CRLfile', file('crl', await list()), '-crl_check'];
      const attime = ['-attime', String(Math.floor(world.now / 1000) + 60)];
      const { stderr } = spawnSync('openssl', ['verify', ...args, ...attime, file('leaf', secret?.['tls.crt'])], {
        encoding: 'utf8',
      });
      expect(stderr).toContain('certificate revoked');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
