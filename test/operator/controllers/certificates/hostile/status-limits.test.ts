import { afterEach, expect, it } from 'vitest';
import { certificate, issuer } from '../../../../../crds/index.js';
import { valueProblems } from '../../../../../crds/schema/value-problems.js';
import { newPrivateKey } from '../../../../../operator/certificates/keys.js';
import { selfSigned } from '../../../../../operator/certificates/signing.js';
import {
  CertificateWorld,
  certificateKind,
  givenCertificate,
  givenIssuer,
  issuerKind,
  Secret,
} from '../given-certificates.js';

let world: CertificateWorld;
afterEach(() => world.close());

/** Why an API server would refuse the statuses, which are then never written. */
async function refusals() {
  const [one, two] = [certificate, issuer].map(({ versions: [version] }) => version?.status?.json ?? expect.fail());
  return [
    ...valueProblems(one as never, (await world.certificate()).status),
    ...valueProblems(two as never, (await world.issuer()).status),
  ];
}

const label = (letter: string) => letter.repeat(60);
const many = (of: (index: number) => string) => Array.from({ length: 100 }, (_, index) => of(index));

it('the status of a certificate with the most and longest names fits its schema', async () => {
  world = await CertificateWorld.start(
    [issuerKind, givenIssuer({ commonName: 'internal CA' })],
    [
      certificateKind,
      givenCertificate({
        dnsNames: many((index) => `n${index}.${label('a')}.${label('b')}.${label('c')}.${label('d')}`),
        uris: many((index) => `spiffe:${index}/${'x'.repeat(1000)}`),
      }),
    ],
  );
  expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
  expect((await world.secret())?.['tls.crt']?.length).toBeGreaterThan(100_000);
  expect(await refusals()).toEqual([]);
  await world.rest(60_000);
  expect((await world.certificate()).status?.revision).toBe(1);
});

it('a CA that does not fit the status is refused, and the earlier one stays', async () => {
  const key = await newPrivateKey({ algorithm: 'ECDSA', size: 256 });
  const validity = { from: Date.parse('2029-12-01'), to: Date.parse('2039-12-01') };
  const own = await selfSigned({ commonName: 'own', usages: [], isCA: true, validity }, key);
  const brought = (trusted: string) => ({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'own', namespace: 'shop' }, type: 'kubernetes.io/tls' },
    data: Object.fromEntries(
      Object.entries({ 'tls.crt': own, 'tls.key': key, 'ca.crt': trusted }).map(([name, text]) => [
        name,
        Buffer.from(text).toString('base64'),
      ]),
    ),
  });
  world = await CertificateWorld.start(
    [Secret, brought(own) as never],
    [issuerKind, givenIssuer({ secretName: 'own' })],
    [certificateKind, givenCertificate()],
  );
  const before = (await world.secret())?.['ca.crt'];
  await world.operator.given(Secret, brought(own.repeat(200)) as never);
  await world.rest();
  expect(await world.condition(issuerKind, 'internal', 'Available')).toMatch(/ca\.crt must have at most 32768/);
  expect(await refusals()).toEqual([]);
  expect((await world.secret())?.['ca.crt']).toBe(before);
});
