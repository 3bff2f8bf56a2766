import { afterEach, expect, it } from 'vitest';
import { certificatesIn } from '../../../../../operator/certificates/reading.js';
import { Event } from '../../../../../operator/runtime/kubernetes/kinds.js';
import {
  CertificateWorld,
  ConfigMap,
  certificateKind,
  clusterIssuerKind,
  givenCertificate,
  givenClusterIssuer,
  givenIssuer,
  givenTrustBundle,
  issuerKind,
  Secret,
  trustBundleKind,
} from '../given-certificates.js';

let world: CertificateWorld;
afterEach(() => world.close());

const password = 'the password of the stores';
const store = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'store', namespace: 'shop' }, type: 'Opaque' },
  data: { password: Buffer.from(password).toString('base64') },
};

it('line 11: no key and no password leaves the Secrets, also when they are wrong', async () => {
  world = await CertificateWorld.start(
    [Secret, store as never],
    [issuerKind, givenIssuer({ commonName: 'internal CA' }, { crl: { configMap: 'crl' } })],
    [clusterIssuerKind, givenClusterIssuer({ ca: { commonName: 'company CA' }, namespaces: {} })],
    [
      certificateKind,
      givenCertificate({
        keystores: { pkcs12: { passwordSecretRef: { name: 'store' } } },
        additionalOutputFormats: [{ type: 'CombinedPEM' }, { type: 'DER' }],
      }),
    ],
    [certificateKind, givenCertificate({ issuer: { name: 'company', kind: 'ClusterIssuer' } }, 'other')],
    [
      trustBundleKind,
      givenTrustBundle({
        // A Secret with a certificate and its key in one text.
        sources: [{ secret: { namespace: 'shop', name: 'shop-tls', key: 'tls.crt' } }],
        namespaces: {},
        target: { configMap: 'company' },
      }),
    ],
  );
  const keys = await Promise.all([world.secret(), world.secret('internal-ca'), world.secret('other-tls')]);
  await mixUp(keys.map((secret) => secret?.['tls.key'] ?? expect.fail()));
  await world.rest(120_000);
  const later = await Promise.all([world.secret(), world.secret('internal-ca'), world.secret('other-tls')]);
  const secrets = [...keys, ...later].map((secret) => secret?.['tls.key'] ?? expect.fail());
  const told = everythingTold();
  expect(told).toContain('Issued the certificate');
  for (const secret of [password, ...secrets.map(body)]) {
    expect(told).not.toContain(secret);
    expect(told).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, 40));
  }
});

/** A user puts keys where certificates belong. */
async function mixUp([own = '', ca = '']: readonly string[]): Promise<void> {
  const data = { 'tls.crt': `${own}${ca}`, 'tls.key': 'junk', 'ca.crt': ca };
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  const metadata = { name: 'shop-tls', namespace: 'shop' };
  const manifest = { apiVersion: 'v1', kind: 'Secret', metadata, data: Object.fromEntries(encoded) };
  await world.operator.memory.apply(Secret, manifest as never, { manager: 'user' });
}

/** The middle of a key, without its lines. */
function body(key: string): string {
  return key.split('\n')[1] ?? expect.fail();
}

/** All that is not a Secret: resources with their statuses, ConfigMaps, events, questions, and the log. */
function everythingTold(): string {
  const { memory, logged } = world.operator;
  const kinds = [certificateKind, issuerKind, clusterIssuerKind, trustBundleKind, ConfigMap, Event];
  const objects = kinds.flatMap((kind) => [...memory.peek(kind).values()]);
  return JSON.stringify([objects, world.questions, logged]);
}

it('line 4: what a user changes beside the certificate itself comes back, and no key gets into the status', async () => {
  world = await CertificateWorld.start(
    [issuerKind, givenIssuer({ commonName: 'internal CA' })],
    [certificateKind, givenCertificate()],
  );
  const before = (await world.secret()) ?? expect.fail();
  const [own = '', key = ''] = [before['tls.crt'], before['tls.key']];
  for (const edited of [`${own}${key}`, `${own}${before['ca.crt']}`, `# ${own}`]) {
    const data = { 'tls.crt': Buffer.from(edited).toString('base64') };
    const manifest = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'shop-tls', namespace: 'shop' }, data };
    await world.operator.memory.apply(Secret, manifest as never, { manager: 'user' });
    await world.rest();
    expect(await world.secret()).toEqual(before);
    const { status } = await world.certificate();
    expect([status?.revision, certificatesIn(status?.certificate ?? '').length]).toEqual([1, 1]);
    expect(JSON.stringify(status)).not.toContain('PRIVATE');
  }
});
