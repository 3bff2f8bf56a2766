import acme from 'acme-client';
import { describe, expect, it } from 'vitest';
import { library, newPrivateKey } from '../../../operator/certificates/keys.js';
import { type KeyKind, publicKeyOf } from '../../../operator/certificates/reading.js';
import { signingRequestOf } from '../../../operator/certificates/signing-requests.js';

const names = { dnsNames: ['*.example.com', 'example.com'], ipAddresses: ['192.0.2.7'], uris: [], emailAddresses: [] };

describe('a certificate signing request', () => {
  it.each<KeyKind>([
    { algorithm: 'ECDSA', size: 256 },
    { algorithm: 'ECDSA', size: 384 },
    { algorithm: 'RSA', size: 2048 },
    { algorithm: 'Ed25519' },
  ])('has the names and the key, and its signature holds: $algorithm $size', async (kind) => {
    const key = await newPrivateKey(kind);
    const { Pkcs10CertificateRequest } = await library();
    const request = new Pkcs10CertificateRequest(await signingRequestOf({ ...names, commonName: 'example.com' }, key));
    expect(await request.verify()).toBe(true);
    expect(Buffer.from(request.publicKey.rawData).toString('base64')).toBe(publicKeyOf(key));
    expect(request.subject).toBe('CN=example.com');
    const { altNames } = acme.crypto.readCsrDomains(request.toString('pem'));
    expect(altNames.toSorted()).toEqual(['*.example.com', '192.0.2.7', 'example.com']);
  });

  it('has no subject without a common name', async () => {
    const { Pkcs10CertificateRequest } = await library();
    const key = await newPrivateKey({ algorithm: 'ECDSA' });
    expect(new Pkcs10CertificateRequest(await signingRequestOf(names, key)).subject).toBe('');
  });
});
