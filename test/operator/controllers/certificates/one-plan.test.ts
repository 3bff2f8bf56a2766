import { describe, expect, it } from 'vitest';
import type { CertificateResource } from '../../../../imports/index.js';
import { newPrivateKey } from '../../../../operator/certificates/keys.js';
import { fingerprintOf, parsed, publicKeyOf } from '../../../../operator/certificates/reading.js';
import { selfSigned, signedBy } from '../../../../operator/certificates/signing.js';
import { validFor } from '../../../../operator/certificates/times.js';
import { assess } from '../../../../operator/controllers/certificates/certificate/assess.js';
import { nextSecretName } from '../../../../operator/controllers/certificates/certificate/view.js';
import type { LiveSecret } from '../../../../operator/runtime/index.js';
import { givenCertificate } from './given-certificates.js';

const now = Date.parse('2030-01-01T00:00:00Z');
const validity = validFor(10 ** 10, now);
const newKey = () => newPrivateKey({ algorithm: 'ECDSA', size: 256 });
const [caKey, key, otherKey] = [await newKey(), await newKey(), await newKey()];
const ca = {
  certificate: await selfSigned({ commonName: 'CA', usages: ['digital signature'], isCA: true, validity }, caKey),
  key: caKey,
};
const names = { dnsNames: ['shop.example.com'], ipAddresses: [], uris: [], emailAddresses: [] };
const ofOtherKey = await signedBy(
  ca,
  { names, usages: ['server auth'], isCA: false, validity },
  publicKeyOf(otherKey) ?? '',
);

/** The part of an issuer that a Certificate reads. */
const issuer = {
  ...{ isAvailable: true, problem: '', secretName: 'ca', caBundle: ca.certificate, chain: '' },
  fingerprint: fingerprintOf(parsed(ca.certificate) ?? expect.fail()),
};
const account = { directory: 'https://acme.example.com/dir', account: 'https://acme.example.com/account/1' };
const solvers = [{ http01: { ingressClassName: 'nginx' } }];
const acmeIssuer = { ...issuer, solvers, acme: { account, profile: undefined, solvers } };

/** The Secret with the key of a certificate that is being issued. */
const nextKey = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: nextSecretName('shop'), namespace: 'shop' } },
  data: { 'tls.key': Buffer.from(key).toString('base64') },
} as unknown as LiveSecret;

/** A Certificate that is being issued. */
function issuing(status: CertificateResource['status'] = {}): CertificateResource {
  const { metadata, ...rest } = givenCertificate();
  const recorded = { issuing: { reason: 'SecretMissing', replaces: '' }, ...status };
  return { ...rest, metadata: { ...metadata, uid: 'u1', generation: 1 }, status: recorded } as never;
}

const none = {
  ...{ privateKey: undefined, signed: undefined, workloads: undefined, handshakes: undefined },
  ...{ request: undefined, order: undefined, renewalInfo: undefined },
};

/** An answer that counts how often its value is read. */
function counted<T>(value: T) {
  const count = { reads: 0 };
  const answer = {
    known: true as const,
    age: 0,
    get value() {
      count.reads += 1;
      return value;
    },
  };
  return { count, answer };
}

describe('assess of a Certificate', () => {
  it('checks the answer of a CA once', () => {
    const { count, answer } = counted({ certificate: ofOtherKey });
    const found = assess(viewOf(issuing(), { issuer, polled: { signed: answer } }));
    expect(found.conditions.UpToDate).toMatchObject({ reason: 'AnswerRejected' });
    expect(found.status?.issuing).toBeDefined();
    expect(count.reads).toBe(1);
  });

  it('reads the answer of an ACME server once', () => {
    const failedOrders = { count: 1, lastTime: '2029-12-31T23:59:50Z', message: 'The order failed', generation: 1 };
    const { count, answer } = counted({});
    const found = assess(viewOf(issuing({ failedOrders }), { issuer: acmeIssuer, polled: { order: answer } }));
    expect(found.conditions.UpToDate).toMatchObject({ reason: 'OrderFailed' });
    expect(found.requeueAfter).toBe(50_000);
    expect(count.reads).toBe(1);
  });
});

function viewOf(resource: CertificateResource, { issuer: read, polled }: { issuer: object; polled: object }) {
  return {
    ...{ resource, now: new Date(now), polled: { ...none, ...polled } },
    owned: { of: () => [nextKey] },
    reads: { secret: undefined, password: undefined, issuer: read, clusterIssuer: undefined, namespace: undefined },
    calls: { of: () => ({ state: 'none' }), names: [] },
  } as unknown as Parameters<typeof assess>[0];
}
