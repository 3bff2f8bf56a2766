import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { newPrivateKey } from '../../../operator/certificates/keys.js';
import { publicKeyOf, serialNumberOf } from '../../../operator/certificates/reading.js';
import { revocationList } from '../../../operator/certificates/revocation.js';
import { type CertificateContent, selfSigned, signedBy } from '../../../operator/certificates/signing.js';
import { validFor } from '../../../operator/certificates/times.js';

const hour = 3_600_000;
const now = Date.now();
const folder = mkdtempSync(join(tmpdir(), 'openssl-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const authority = async (name = 'internal CA') => {
  const key = await newPrivateKey({ algorithm: 'ECDSA', size: 256 });
  const content = {
    commonName: name,
    usages: ['digital signature'],
    isCA: true,
    validity: validFor(hour, now),
  } as const;
  return { certificate: await selfSigned(content, key), key };
};
const leaf: CertificateContent = {
  names: { dnsNames: ['shop.example.com'], ipAddresses: [], uris: [], emailAddresses: [] },
  usages: ['digital signature', 'server auth'],
  isCA: false,
  validity: validFor(hour, now),
};
const issuedBy = async (ca: Awaited<ReturnType<typeof authority>>) =>
  signedBy(ca, leaf, publicKeyOf(await newPrivateKey({ algorithm: 'ECDSA', size: 256 })) ?? '');

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const openssl = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
};
const isInstalled = spawnSync('openssl', ['version']).status === 0;
if (!isInstalled) console.warn('The tests of certificates with OpenSSL are skipped: openssl is not installed');

describe.skipIf(!isInstalled)('OpenSSL', () => {
  it('line 5: accepts the certificates of both CAs of a bundle, though they have one name', async () => {
    const [old, next] = [await authority(), await authority()];
    for (const bundle of [`${old.certificate}${next.certificate}`, `${next.certificate}${old.certificate}`])
      for (const ca of [old, next]) {
        const leafFile = file('leaf.pem', await issuedBy(ca));
        const verified = openssl('verify', '-x509_strict', '-CAfile', file('bundle.pem', bundle), leafFile);
        expect(verified).toMatchObject({ status: 0 });
      }
    const foreign = file('leaf.pem', await issuedBy(await authority()));
    expect(openssl('verify', '-CAfile', file('bundle.pem', old.certificate), foreign).status).not.toBe(0);
  });

  test('line 12: refuses a revoked certificate, and accepts another one', async () => {
    const ca = await authority();
    const [good, bad] = [await issuedBy(ca), await issuedBy(ca)];
    const revoked = [serialNumberOf(new X509Certificate(bad))];
    const list = await revocationList(ca, { revoked, number: 200, from: now - 1000, to: now + hour });
    expect(list).toMatch(/^-----BEGIN X509 CRL-----\n/);
    const trust = ['-CAfile', file('ca.pem', ca.certificate), '-CRLfile', file('ca.crl', list), '-crl_check'];
    expect(openssl('verify', ...trust, file('good.pem', good))).toMatchObject({ status: 0 });
    const refused = openssl('verify', ...trust, file('bad.pem', bad));
    expect(refused.output).toContain('certificate revoked');
    expect(openssl('crl', '-in', join(folder, 'ca.crl'), '-noout', '-crlnumber').output).toMatch(/0xC8|=C8/i);
  });
});
