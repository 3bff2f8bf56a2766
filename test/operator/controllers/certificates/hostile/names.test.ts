import { App, Chart } from 'cdk8s';
import { afterEach, describe, expect, it } from 'vitest';
import { nextSecretName } from '../../../../../operator/controllers/certificates/certificate/view.js';
import { secretRotation } from '../../../../../operator/controllers/secret-rotation/index.js';
import { factsOf, type GivenFacts } from '../../../../../operator/testing/index.js';
import { rotationStateName } from '../../../../../src/index.js';
import { givenRotation } from '../../secret-rotation/given-rotation.js';
import { CertificateWorld, certificateKind, givenCertificate, givenIssuer, issuerKind } from '../given-certificates.js';

let world: CertificateWorld;
afterEach(() => world?.close());

describe('names of Secrets', () => {
  it('a SecretRotation cannot publish its credential where the operator keeps it', () => {
    const resource = givenRotation({ secretName: rotationStateName('orders') });
    const given = { owned: [], polled: {}, now: new Date(), reads: { database: undefined } };
    const scope = new Chart(new App(), 'shop', { namespace: 'shop' });
    const facts = factsOf(resource, given as unknown as GivenFacts);
    expect(() => secretRotation.desire(scope, facts as never)).toThrow(/must not be the name of the Secret in which/);
  });

  it('a Certificate cannot have its certificate where its next key is', async () => {
    world = await CertificateWorld.start(
      [issuerKind, givenIssuer({ commonName: 'internal CA' })],
      [certificateKind, givenCertificate({ secretName: nextSecretName('shop') })],
    );
    expect(await world.condition(certificateKind, 'shop', 'Accepted')).toMatch(
      /^False ReservedName: spec\.secretName: Invalid value: .*use another name$/,
    );
  });

  it('an Issuer can name the Secret of its generated CA as its own CA, which stays', async () => {
    world = await CertificateWorld.start(
      [issuerKind, givenIssuer({ commonName: 'internal CA' })],
      [certificateKind, givenCertificate()],
    );
    const before = await world.secret('internal-ca');
    await world.operator.given(issuerKind, givenIssuer({ secretName: 'internal-ca' }));
    await world.rest();
    expect((await world.secret('internal-ca'))?.['tls.key']).toBe(before?.['tls.key'] ?? expect.fail());
    expect(await world.condition(issuerKind, 'internal', 'Available')).toMatch(/^True Available/);
    expect((await world.certificate()).status?.revision).toBe(1);
  });

  it('two Certificates with one Secret: the second one reports it, and the first one keeps its certificate', async () => {
    world = await CertificateWorld.start(
      [issuerKind, givenIssuer({ commonName: 'internal CA' })],
      [certificateKind, givenCertificate()],
    );
    const first = await world.secret();
    await world.operator.given(certificateKind, givenCertificate({ secretName: 'shop-tls' }, 'second'));
    await world.rest(60_000);
    expect(await world.condition(certificateKind, 'second', 'UpToDate')).toBe(
      'False SecretNotOwned: Secret shop-tls is controlled by Certificate shop',
    );
    expect([await world.secret(), (await world.certificate()).status?.revision]).toEqual([first, 1]);
  });
});
