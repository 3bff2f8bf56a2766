import { afterEach, describe, expect, it } from 'vitest';
import { CertificateWorld, certificateKind, givenCertificate, givenIssuer, issuerKind } from './given-certificates.js';

let world: CertificateWorld;
afterEach(() => world.close());

describe('an Issuer that is deleted', () => {
  it.each<readonly [when: string, leave: () => Promise<unknown>]>([
    ['is deleted', () => world.remove(certificateKind, 'shop')],
    [
      'refers to another issuer',
      () => world.operator.given(certificateKind, givenCertificate({ issuer: { name: 'other' } })),
    ],
  ])('signs and keeps its CA until its last Certificate %s', async (_, leave) => {
    world = await CertificateWorld.start(
      [issuerKind, givenIssuer({ commonName: 'internal CA' })],
      [certificateKind, givenCertificate()],
    );
    const authority = (await world.secret('internal-ca'))?.['tls.key'];
    await world.remove(issuerKind, 'internal');
    await world.operator.given(certificateKind, givenCertificate({ dnsNames: ['other.example.com'] }));
    await world.rest();
    expect((await world.secret('internal-ca'))?.['tls.key']).toBe(authority);
    expect((await world.certificate()).status?.revision).toBe(2);
    expect(await world.condition(issuerKind, 'internal', 'Available')).toBe(
      'True Available: The issuer stays until no Certificate refers to it: shop; delete them, or set another spec.issuer',
    );
    await leave();
    await world.rest();
    expect([await world.issuer(), await world.secret('internal-ca')]).toEqual([undefined, undefined]);
  });
});
