import { afterEach, expect, it } from 'vitest';
import type { Manifest, ObjectKind } from '../../../../../operator/runtime/index.js';
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

const notReady =
  'Issuer internal is not ready: Secret none of namespace shop does not exist; create it with tls.crt and tls.key of your CA';
const brokenIssuer = givenIssuer({ secretName: 'none' });
const upToDate = () => world.condition(certificateKind, 'shop', 'UpToDate');

/** A Certificate that is issued, whose issuer has lost its CA since. */
async function issuedBefore(): Promise<void> {
  world = await CertificateWorld.start(
    [issuerKind, givenIssuer({ commonName: 'internal CA' })],
    [certificateKind, givenCertificate()],
  );
  await world.operator.given(issuerKind, brokenIssuer);
  await world.rest();
}

it('a certificate that is fine is up to date, although its issuer is not ready', async () => {
  await issuedBefore();
  expect(await upToDate()).toMatch(/^True UpToDate/);
});

it.each<{ told: string; when: string; act: () => Promise<unknown> }>([
  {
    told: 'The certificate has other DNS names than spec',
    when: 'the spec has another name',
    act: () => world.operator.given(certificateKind, givenCertificate({ dnsNames: ['other.example.com'] })),
  },
  {
    told: 'The private key has another algorithm or size than spec.privateKey',
    when: 'the spec has another key',
    act: () => world.operator.given(certificateKind, givenCertificate({ privateKey: { algorithm: 'RSA' } })),
  },
  { told: 'The Secret does not exist', when: 'the Secret is deleted', act: () => world.remove(Secret, 'shop-tls') },
])('with an issuer that is not ready, the condition has both problems when $when', async ({ told, act }) => {
  await issuedBefore();
  await act();
  await world.rest();
  expect(await upToDate()).toBe(`False IssuerNotReady: ${told}; ${notReady}`);
});

it.each<{ told: string; when: string; given: readonly (readonly [ObjectKind, Manifest])[] }>([
  {
    told: notReady.replace(/^/, 'False IssuerNotReady: '),
    when: 'there is no certificate yet, which follows from it',
    given: [
      [issuerKind, brokenIssuer as Manifest],
      [certificateKind, givenCertificate() as Manifest],
    ],
  },
  {
    told: `False PasswordNotFound: Secret store does not exist; create it, or correct spec.keystores.pkcs12.passwordSecretRef; ${notReady}`,
    when: 'the password is missing',
    given: [
      [issuerKind, brokenIssuer as Manifest],
      [
        certificateKind,
        givenCertificate({ keystores: { pkcs12: { passwordSecretRef: { name: 'store' } } } }) as Manifest,
      ],
    ],
  },
  {
    told: 'False RequestNotSupported: spec.isCA: Invalid value: true: must be false, because ACME servers issue no CA certificates; Issuer internal is not ready: The ACME server could not be asked',
    when: 'the ACME server has no account yet',
    given: [
      [issuerKind, acmeIssuer() as Manifest],
      [certificateKind, givenCertificate({ isCA: true }) as Manifest],
    ],
  },
])('a Certificate reports $told when $when', async ({ told, given }) => {
  world = await CertificateWorld.start(...given);
  const found = await upToDate();
  expect(found.startsWith(told) ? told : found).toBe(told);
});

function acmeIssuer() {
  const acme = { server: 'https://acme.example.com/directory', solvers: [{ http01: { ingressClassName: 'web' } }] };
  const { ca: _, ...issuer } = givenIssuer({ secretName: 'none' }).spec as { ca?: unknown };
  return { ...givenIssuer({ secretName: 'none' }), spec: { ...issuer, acme } };
}
