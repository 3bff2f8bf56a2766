import { X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { newPrivateKey } from '../../../../operator/certificates/keys.js';
import { certificatesIn, fingerprintOf, isSignedBy, parsed } from '../../../../operator/certificates/reading.js';
import { selfSigned } from '../../../../operator/certificates/signing.js';
import { Namespace } from '../../../../operator/runtime/index.js';
import {
  CertificateWorld,
  ConfigMap,
  certificateKind,
  givenCertificate,
  givenIssuer,
  givenTrustBundle,
  issuerKind,
  Secret,
  trustBundleKind,
} from './given-certificates.js';

const minute = 60_000;
/** CAs that follow each other, more for a long run. */
const rollovers = Number(process.env['RECONSTRUCT_ROLLOVERS'] ?? 2);
let world: CertificateWorld;
afterEach(() => world.close());

const names = ['a', 'b', 'c'];
/** A CA of an hour whose next one is generated after half of it. It signs three minutes and a minute later. */
const hourly = givenIssuer({ commonName: 'internal CA', duration: '60m', renewBefore: '30m' });

const start = () =>
  CertificateWorld.start(
    [issuerKind, hourly],
    ...names.map((name) => [certificateKind, givenCertificate({ duration: '40m', renewBefore: '10m' }, name)] as const),
  );
const bundles = async () =>
  Promise.all(names.map(async (name) => certificatesIn((await world.secret(`${name}-tls`))?.['ca.crt'] ?? '')));
const leaf = async (name: string) => new X509Certificate((await world.secret(`${name}-tls`))?.['tls.crt'] ?? '');
const signer = async () => new X509Certificate((await world.secret('internal-ca'))?.['tls.crt'] ?? '');

/** Whether a client with each of the bundles accepts each of the certificates. */
async function everyClientAccepts(): Promise<boolean> {
  const leaves = await Promise.all(names.map(leaf));
  return (await bundles()).every((bundle) =>
    leaves.every((one) => bundle.some((pem) => isSignedBy(one, parsed(pem) ?? expect.fail()))),
  );
}

describe('line 5: the CA rolls over', () => {
  it('by a bundle of both: published, then signing, then alone, while every client accepts every certificate', async () => {
    world = await start();
    const old = await signer();
    await world.after(31 * minute);
    const next = certificatesIn((await world.secret('internal-ca'))?.['next.crt'] ?? '')[0] ?? '';
    expect((await bundles()).map((bundle) => bundle.length)).toEqual([2, 2, 2]);
    expect([fingerprintOf(await signer()), await everyClientAccepts()]).toEqual([fingerprintOf(old), true]);
    expect(await world.condition(issuerKind, 'internal', 'RolledOver')).toMatch(/^Unknown Publishing/);

    await world.after(4 * minute);
    expect((await signer()).raw).toEqual(parsed(next)?.raw);
    for (const name of names) expect(isSignedBy(await leaf(name), await signer())).toBe(true);
    expect([(await bundles()).map((bundle) => bundle.length), await everyClientAccepts()]).toEqual([[2, 2, 2], true]);

    await world.after(5 * minute);
    expect([(await bundles()).map((bundle) => bundle.length), await everyClientAccepts()]).toEqual([[1, 1, 1], true]);
    expect(await world.condition(issuerKind, 'internal', 'RolledOver')).toMatch(/^True UpToDate/);
  });

  it(`${rollovers} times in a row, in which every client accepts every certificate all the time`, async () => {
    world = await start();
    const signers = new Set<string>();
    for (let passed = 0; signers.size <= rollovers; passed += 4) {
      expect(passed).toBeLessThan(40 * (rollovers + 1));
      await world.after(4 * minute);
      expect(await everyClientAccepts(), `after ${passed} minutes`).toBe(true);
      signers.add(fingerprintOf(await signer()));
    }
  });

  it('line 10: goes on in another process, with the same keys', async () => {
    world = await start();
    await world.after(31 * minute);
    const { 'next.key': nextKey } = (await world.secret('internal-ca')) ?? {};
    expect(nextKey).toBeDefined();
    world = await world.restarted();
    await world.after(10 * minute);
    expect((await world.secret('internal-ca'))?.['tls.key']).toBe(nextKey);
    expect(await everyClientAccepts()).toBe(true);
  });

  it('and waits until the consumers of each certificate were seen with one of the new CA', async () => {
    const spec = { duration: '40m', renewBefore: '10m', consumers: [{ deployment: 'shop' }] };
    world = await CertificateWorld.start(
      [issuerKind, hourly],
      [certificateKind, givenCertificate({ duration: '40m', renewBefore: '10m' }, 'b')],
      [certificateKind, givenCertificate(spec, 'a')],
    );
    const bundle = async () => certificatesIn((await world.secret('a-tls'))?.['ca.crt'] ?? '').length;
    await world.deployment('shop');
    await world.after(10_000);
    const old = fingerprintOf(await signer());
    // The rollout of what follows does not end.
    await world.deployment('shop', 1);
    await world.after(36 * minute);
    expect([fingerprintOf(await signer()), await bundle()]).toEqual([old, 2]);
    // The next CA signs at the latest when half of renewBefore is left.
    await world.after(10 * minute);
    expect(isSignedBy(await leaf('a'), await signer())).toBe(true);
    expect(fingerprintOf(await signer())).not.toBe(old);
    await world.after(6 * minute);
    expect([await bundle(), (await world.certificate('a')).status?.earlierIssuerFingerprints]).toEqual([2, [old]]);
    expect(await world.condition(issuerKind, 'internal', 'RolledOver')).toBe(
      'Unknown WaitingForConsumers: Consumers of Certificate a may still use a certificate of an earlier CA; see the condition Adopted of the Certificate',
    );
    await world.deployment('shop');
    await world.after(10_000);
    expect((await world.certificate('a')).status?.earlierIssuerFingerprints).toBeUndefined();
    await world.after(4 * minute + 10_000);
    expect(await bundle()).toBe(1);
    expect(await world.condition(issuerKind, 'internal', 'RolledOver')).toMatch(/^True UpToDate/);
  });

  it('at once if its Secret is lost, and clients trust the lost CA as long as it is in use', async () => {
    world = await start();
    const lost = await signer();
    await world.remove(Secret, 'internal-ca');
    expect(fingerprintOf(await signer())).not.toBe(fingerprintOf(lost));
    for (const name of names) expect(isSignedBy(await leaf(name), await signer())).toBe(true);
    const [bundle = []] = await bundles();
    expect(bundle.map((pem) => fingerprintOf(parsed(pem) ?? expect.fail()))).toEqual([
      fingerprintOf(await signer()),
      fingerprintOf(lost),
    ]);
  });
});

describe('a next CA whose issuer a TrustBundle names', () => {
  const issuer = { issuer: { name: 'internal', namespace: 'shop' } };
  const bundleOf = (...sources: Parameters<typeof givenTrustBundle>[0]['sources']) =>
    givenTrustBundle({ sources, namespaces: {}, target: { configMap: 'company' } });
  const rolledOver = () => world.condition(issuerKind, 'internal', 'RolledOver');
  const published = async () => {
    const live = await world.operator.memory.read(ConfigMap, { namespace: 'shop', name: 'company' });
    return certificatesIn((live as { data?: Record<string, string> } | undefined)?.data?.['ca.crt'] ?? '');
  };
  const trusts = async () => {
    const current = fingerprintOf(await signer());
    return (await published()).some((pem) => fingerprintOf(parsed(pem) ?? expect.fail()) === current);
  };
  const begin = async (bundle: ReturnType<typeof bundleOf>) => {
    world = await CertificateWorld.start(
      [issuerKind, hourly],
      [certificateKind, givenCertificate({ duration: '40m', renewBefore: '10m' }, 'a')],
      [trustBundleKind, bundle],
    );
    return fingerprintOf(await signer());
  };
  /** A namespace in which another owner has the ConfigMap of the bundle. */
  const obstruct = async () => {
    const owner = { apiVersion: 'v1', kind: 'Secret', name: 'mine', uid: 'u', controller: true };
    const metadata = { name: 'company', namespace: 'back', ownerReferences: [owner] };
    await world.operator.given(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} } as never);
    await world.operator.given(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'back' } });
    await world.rest();
  };

  it('signs in time although another source of the bundle fails, and the bundle has it before', async () => {
    const old = await begin(bundleOf({ configMap: { name: 'none', namespace: 'shop', key: 'ca.crt' } }, issuer));
    expect(await rolledOver()).toMatch(/^True UpToDate/);
    await world.after(31 * minute);
    expect((await published()).length).toBe(2);
    expect(await rolledOver()).toMatch(/^Unknown Publishing/);
    await world.after(5 * minute);
    expect(fingerprintOf(await signer())).not.toBe(old);
    expect(await trusts()).toBe(true);
  });

  it('waits for every namespace of the bundle, names the bundle, and signs when clients have loaded it', async () => {
    const old = await begin(bundleOf(issuer));
    await obstruct();
    await world.after(31 * minute);
    expect(await rolledOver()).toMatch(
      /^Unknown WaitingForBundles: The next CA waits for TrustBundle company, .*; it signs without it at 20\d\d-.*Z, before the current CA expires$/,
    );
    await world.after(19 * minute);
    expect(fingerprintOf(await signer())).toBe(old);
    await world.operator.memory.remove(ConfigMap, { namespace: 'back', name: 'company' }, {} as never);
    await world.rest(minute);
    expect(await rolledOver()).toMatch(/^Unknown Publishing/);
    expect(fingerprintOf(await signer())).toBe(old);
    await world.after(3 * minute);
    expect(fingerprintOf(await signer())).not.toBe(old);
    expect(isSignedBy(await leaf('a'), await signer())).toBe(true);
    expect(await rolledOver()).toMatch(/^Unknown (Reissuing|WaitingForConsumers|UpToDate)|^True UpToDate/);
  });

  it('signs without it before the current CA expires, and reports that', async () => {
    const old = await begin(bundleOf(issuer));
    await obstruct();
    await world.after(31 * minute);
    await world.after(24 * minute);
    expect(fingerprintOf(await signer())).toBe(old);
    await world.after(2 * minute);
    expect(fingerprintOf(await signer())).not.toBe(old);
    expect(isSignedBy(await leaf('a'), await signer())).toBe(true);
    expect(await rolledOver()).toBe(
      'False BundleOutdated: The CA signs, and TrustBundle company does not have its certificate in all namespaces; see the condition Synced of the TrustBundle',
    );
  });
});

describe('your own CA', () => {
  const own = async () => {
    const key = await newPrivateKey({ algorithm: 'RSA', size: 2048 });
    const validity = { from: world.now - minute, to: world.now + 1000 * minute };
    const certificate = await selfSigned({ commonName: 'own CA', usages: [], isCA: true, validity }, key);
    return { 'tls.crt': certificate, 'tls.key': key };
  };
  const give = async (texts: Readonly<Record<string, string>>) => {
    const data = Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
    );
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'own', namespace: 'shop' }, data };
    await world.operator.given(Secret, secret as never);
    await world.rest();
  };
  const available = () => world.condition(issuerKind, 'internal', 'Available');

  it('replaces a generated one when it can sign, and the bundle has both', async () => {
    world = await start();
    const generated = await world.secret('internal-ca');
    await world.operator.given(issuerKind, givenIssuer({ secretName: 'own' }));
    await world.rest();
    expect(await available()).toMatch(/^False SecretNotFound: Secret own of namespace shop does not exist; create it/);
    expect(await world.secret('internal-ca')).toEqual(generated);

    const ca = await own();
    await give({ 'tls.crt': ca['tls.crt'] });
    expect(await available()).toMatch(
      /^False InvalidCA: .* tls.key must be the private key of the CA, and is missing$/,
    );
    await give({ ...ca, 'tls.key': await newPrivateKey({ algorithm: 'Ed25519' }) });
    expect(await available()).toMatch(/^False InvalidCA: .* tls.key must be the private key of tls.crt$/);
    await give(ca);
    expect(await available()).toBe('True Available: The issuer signs certificates');
    expect(await world.secret('internal-ca')).toBeUndefined();
    expect([(await bundles()).map((bundle) => bundle.length), await everyClientAccepts()]).toEqual([[2, 2, 2], true]);
    for (const name of names) expect(isSignedBy(await leaf(name), new X509Certificate(ca['tls.crt']))).toBe(true);
  });
});
