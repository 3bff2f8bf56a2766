import { createPrivateKey, KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import 'reflect-metadata';
import { X509CertificateGenerator } from '@peculiar/x509';
import { describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../../operator/certificates/authority.js';
import { kubeconfig } from '../../../operator/testing/control-plane/kubeconfig.js';

const authority = await CertificateAuthority.create();
const root = new X509Certificate(authority.own.certificate);

describe('a certificate', () => {
  it('is signed by its authority, which another one did not', async () => {
    const { certificate } = await authority.issue({ commonName: 'jane' });
    const other = await CertificateAuthority.create();
    expect(new X509Certificate(certificate).verify(root.publicKey)).toBe(true);
    expect(new X509Certificate(certificate).verify(new X509Certificate(other.own.certificate).publicKey)).toBe(false);
    expect(new X509Certificate(certificate).checkIssued(root)).toBe(true);
  });

  it('says whom it is for, and belongs to its key', async () => {
    const hosts = ['localhost', '10.96.0.1', '::1'];
    const { certificate, key } = await authority.issue({ commonName: 'jane', organizations: ['a', 'b'], hosts });
    const parsed = new X509Certificate(certificate);
    expect(parsed.subject).toBe('O=a\nO=b\nCN=jane');
    expect(parsed.subjectAltName).toBe('DNS:localhost, IP Address:10.96.0.1, IP Address:0:0:0:0:0:0:0:1');
    expect(parsed.toLegacyObject().ext_key_usage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    expect(createPrivateKey(key).asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    expect(parsed.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(parsed.ca).toBe(false);
  });

  it('holds now, and for a year', () => {
    const hours = (date: string) => (Date.parse(date) - Date.now()) / 3_600_000;
    expect(hours(root.validFrom)).toBeLessThan(0);
    expect(hours(root.validTo)).toBeGreaterThan(364 * 24);
    expect(root.ca).toBe(true);
  });

  it('of an authority that another process has read from its files is as good', async () => {
    const { certificate } = await new CertificateAuthority(authority.own).issue({ commonName: 'jane' });
    expect(new X509Certificate(certificate).verify(root.publicKey)).toBe(true);
  });
});

it('of an earlier version, an authority with an RSA key signs on', async () => {
  const signingAlgorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048 };
  const algorithm = { ...signingAlgorithm, publicExponent: new Uint8Array([1, 0, 1]) };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const name = 'CN=cdk8s-reconstruct';
  const old = await X509CertificateGenerator.createSelfSigned({ name, keys, signingAlgorithm });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs1', format: 'pem' }).toString();
  const { certificate } = await new CertificateAuthority({ certificate: old.toString('pem'), key }).issue({
    commonName: 'jane',
  });
  const issued = new X509Certificate(certificate);
  expect(issued.checkIssued(new X509Certificate(Buffer.from(old.rawData)))).toBe(true);
  expect(issued.verify(KeyObject.from(keys.publicKey))).toBe(true);
});

describe('a kubeconfig', () => {
  it('has the token of a user who has one', () => {
    const text = kubeconfig({
      url: 'https://127.0.0.1:1',
      authority: 'CA',
      user: 'robot',
      credentials: { token: 't' },
    });
    expect(text).toBe(`apiVersion: v1
kind: Config
clusters:
  - name: reconstruct
    cluster:
      server: https://127.0.0.1:1
      certificate-authority-data: Q0E=
users:
  - name: robot
    user:
      token: t
contexts:
  - name: reconstruct
    context:
      cluster: reconstruct
      user: robot
current-context: reconstruct
`);
  });
});
