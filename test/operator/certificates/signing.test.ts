import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { newPrivateKey } from '../../../operator/certificates/keys.js';
import {
  canonicalAddress,
  certificatesIn,
  isOfKind,
  isSignedBy,
  type KeyKind,
  keyKindOf,
  namesOf,
  parsed,
  publicKeyOf,
  serialNumberOf,
  validityOf,
} from '../../../operator/certificates/reading.js';
import { type CertificateContent, selfSigned, signedBy } from '../../../operator/certificates/signing.js';
import { backdatedBy, validFor } from '../../../operator/certificates/times.js';
import { type Usage, usagesOf } from '../../../operator/certificates/usages.js';

const hour = 3_600_000;
const now = Date.parse('2030-01-01T00:00:00.500Z');
const authorityKey = await newPrivateKey({ algorithm: 'ECDSA', size: 256 });
const root: CertificateContent = {
  commonName: 'internal CA',
  usages: ['digital signature'],
  isCA: true,
  validity: validFor(1000 * hour, now),
};
const authority = { certificate: await selfSigned(root, authorityKey), key: authorityKey };
const signer = new X509Certificate(authority.certificate);
const leafKey = await newPrivateKey({ algorithm: 'Ed25519' });
const leaf: CertificateContent = {
  names: { dnsNames: ['shop.example.com'], ipAddresses: [], uris: [], emailAddresses: [] },
  usages: ['digital signature', 'server auth'],
  isCA: false,
  validity: validFor(hour, now),
};
const issue = async (content: Partial<CertificateContent>, key = leafKey) =>
  new X509Certificate(await signedBy(authority, { ...leaf, ...content }, publicKeyOf(key) ?? ''));

describe('a private key', () => {
  test.each<KeyKind>([
    { algorithm: 'ECDSA', size: 256 },
    { algorithm: 'ECDSA', size: 384 },
    { algorithm: 'ECDSA', size: 521 },
    { algorithm: 'RSA', size: 2048 },
    { algorithm: 'Ed25519' },
  ])('of $algorithm $size signs as a CA, and is certified', async (kind) => {
    const key = await newPrivateKey(kind);
    expect(keyKindOf(key)).toEqual(kind);
    const ca = { certificate: await selfSigned(root, key), key };
    const signed = new X509Certificate(await signedBy(ca, leaf, publicKeyOf(key) ?? ''));
    expect(isSignedBy(signed, new X509Certificate(ca.certificate))).toBe(true);
    expect(signed.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(isSignedBy(signed, signer)).toBe(false);
  });

  it('is told from one of another size', () => {
    expect(isOfKind(authorityKey, { algorithm: 'ECDSA', size: 256 })).toBe(true);
    expect(isOfKind(authorityKey, { algorithm: 'ECDSA', size: 384 })).toBe(false);
    expect(isOfKind('no key', { algorithm: 'Ed25519' })).toBe(false);
  });
});

describe('a certificate', () => {
  it('has the names that it is asked for', async () => {
    const names = {
      dnsNames: ['shop.example.com', '*.shop.example.com'],
      ipAddresses: ['10.0.0.1', 'fd00::1'],
      uris: ['spiffe://example.com/shop,a="b"'],
      emailAddresses: ['jane@example.com'],
    };
    const certificate = await issue({ names, commonName: 'a, "b" + c' });
    expect(namesOf(certificate)).toEqual({ ...names, commonName: 'a, "b" + c' });
  });

  it('without a common name has only alternative names', async () => {
    expect(namesOf(await issue({}))).toEqual({ ...leaf.names });
  });

  test.each<{ usages: readonly Usage[]; isCA: boolean; has: readonly Usage[] }>([
    { usages: ['digital signature'], isCA: false, has: ['digital signature'] },
    { usages: ['server auth', 'client auth'], isCA: false, has: ['client auth', 'server auth'] },
    { usages: ['digital signature'], isCA: true, has: ['cert sign', 'crl sign', 'digital signature'] },
    {
      usages: ['key encipherment', 'data encipherment', 'key agreement', 'content commitment', 'ocsp signing'],
      isCA: false,
      has: ['content commitment', 'data encipherment', 'key agreement', 'key encipherment', 'ocsp signing'],
    },
  ])('for $usages has the usages $has', async ({ usages, isCA, has }) => {
    const certificate = await issue({ usages, isCA });
    expect([usagesOf(certificate), certificate.ca]).toEqual([has, isCA]);
  });

  it('is dated back by a minute, in whole seconds', async () => {
    const { from, to } = validityOf(await issue({}));
    expect([from, to]).toEqual([Date.parse('2029-12-31T23:59:00Z'), Date.parse('2030-01-01T01:00:00Z')]);
    expect(backdatedBy(300_000)).toBe(30_000);
  });

  it('line 5: does not outlive its CA', async () => {
    const certificate = await issue({ validity: validFor(5000 * hour, now) });
    expect(validityOf(certificate).to).toBe(validityOf(signer).to);
    const late = issue({ validity: validFor(hour, now + 1001 * hour) });
    await expect(late).rejects.toThrow('the certificate of the CA expired at 2030-02-11T16:00:00.000Z');
  });

  it('has a serial number of its own', async () => {
    const [one, other] = [await issue({}), await issue({})];
    expect(serialNumberOf(one)).toMatch(/^01[0-9a-f]{30}$/);
    expect(serialNumberOf(one)).not.toBe(serialNumberOf(other));
  });
});

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['FD00:0:0:0:0:0:0:1', 'fd00::1'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['fd00::1', 'fd00::1'],
])('the address %s is %s', (address, canonical) => {
  expect(canonicalAddress(address)).toBe(canonical);
});

test('texts that are no certificates are none', () => {
  expect(parsed('')).toBeUndefined();
  expect(publicKeyOf('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n')).toBeUndefined();
  expect(certificatesIn(`junk ${authority.certificate} ${authority.key}\n${authority.certificate}`)).toEqual([
    authority.certificate,
    authority.certificate,
  ]);
});
