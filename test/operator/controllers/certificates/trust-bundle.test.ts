import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TrustBundleResource } from '../../../../imports/index.js';
import { newPrivateKey } from '../../../../operator/certificates/keys.js';
import { certificatesIn, fingerprintOf, parsed } from '../../../../operator/certificates/reading.js';
import { selfSigned } from '../../../../operator/certificates/signing.js';
import { bundleOf } from '../../../../operator/controllers/certificates/trust-bundle/bundle.js';
import { ConfigMap, type LiveConfigMap, Namespace } from '../../../../operator/runtime/index.js';
import {
  CertificateWorld,
  certificateKind,
  givenCertificate,
  givenIssuer,
  givenTrustBundle,
  issuerKind,
  trustBundleKind,
} from './given-certificates.js';

const now = Date.parse('2030-01-01T00:00:00Z');
const day = 86_400_000;
const authority = async (commonName: string, days: number) => {
  const key = await newPrivateKey({ algorithm: 'ECDSA', size: 256 });
  const validity = { from: now - 100 * day, to: now + days * day };
  return selfSigned({ commonName, usages: [], isCA: true, validity }, key);
};
let [one, other, three, expired] = ['', '', '', ''];
beforeAll(async () => {
  [one, other, three, expired] = await Promise.all([
    authority('one', 10),
    authority('other', 20),
    authority('three', 30),
    authority('expired', -1),
  ]);
});

describe('a bundle', () => {
  const source = (text: string | undefined, id = 'a') => ({ id, title: `Source ${id}`, text });
  const none = { text: undefined, isPublished: false, sources: undefined };
  const print = (pem: string) => fingerprintOf(parsed(pem) ?? expect.fail());
  const junk = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';

  it('has each certificate once, in the order of the sources, without expired ones', () => {
    const found = bundleOf([source(`${other}${expired}${one}`), source(one, 'b')], now, none);
    const sources = [
      { id: 'a', fingerprints: [print(other), print(one)] },
      { id: 'b', fingerprints: [print(one)] },
    ];
    expect(found).toEqual({ text: `${other}${one}`, size: 2, notAfter: now + 10 * day, sources, problems: [] });
  });

  it.each<{ is: string; what: string; text: () => string | undefined }>([
    { is: 'SourceNotFound', what: 'missing', text: () => undefined },
    { is: 'InvalidSource', what: 'empty', text: () => '' },
    { is: 'InvalidSource', what: 'expired', text: () => expired },
    { is: 'InvalidSource', what: 'junk', text: () => junk },
  ])('keeps the certificates of a source that is $what, and has those of the others', ({ is, text }) => {
    const sources = [{ id: 'b', fingerprints: [print(other)] }];
    const earlier = { text: `${other}${three}`, isPublished: true, sources };
    const found = bundleOf([source(one), source(text(), 'b')], now, earlier);
    expect(found).toMatchObject({ text: `${one}${other}`, problems: [{ is }] });
    expect(found.problems[0]?.message).toMatch(/^spec\.sources\[1\]: Source b .* its earlier certificates stay in the/);
    const first = bundleOf([source(one), source(text(), 'b')], now, none);
    expect(first).toMatchObject({ text: one, problems: [{ is }] });
    expect(first.problems[0]?.message).not.toContain('earlier');
  });

  it('keeps expired certificates of a source without others, and waits for no end', () => {
    const earlier = { text: expired, isPublished: true, sources: [{ id: 'a', fingerprints: [print(expired)] }] };
    expect(bundleOf([source(expired)], now, earlier)).toMatchObject({ text: expired, notAfter: undefined });
  });

  it.each<readonly [when: string, expected: () => string | undefined, change: object]>([
    ['keeps what it cannot assign, without records of the sources', () => `${one}${other}`, { sources: undefined }],
    ['has no certificate of a source that has no record', () => one, { sources: [] }],
    ['stays as it is, if the published certificates are lost', () => undefined, { text: undefined }],
    ['stays as it is, if they are lost without records', () => undefined, { text: undefined, sources: undefined }],
  ])('%s', (_when, expected, change) => {
    const sources = [{ id: 'b', fingerprints: [print(other)] }];
    const earlier = { text: `${one}${other}`, isPublished: true, sources, ...change };
    expect(bundleOf([source(one), source(undefined, 'b')], now, earlier).text).toBe(expected());
  });

  it('reads what was published only if a source fails, and once', () => {
    let reads = 0;
    const earlier = {
      get text() {
        reads++;
        return other;
      },
      isPublished: true,
      sources: ['b', 'c'].map((id) => ({ id, fingerprints: [print(other)] })),
    };
    bundleOf([source(one), source(other, 'b')], now, earlier);
    expect(reads).toBe(0);
    bundleOf([source(one), source(junk, 'b'), source(undefined, 'c')], now, earlier);
    expect(reads).toBe(1);
  });

  it('names every source that fails, by its index', () => {
    const { problems } = bundleOf([source(undefined), source(one, 'b'), source(junk, 'c')], now, none);
    expect(problems.map(({ message }) => message)).toEqual([
      'spec.sources[0]: Source a does not exist; create it, or remove the source',
      'spec.sources[2]: Source c has no certificate in PEM format that is still valid; correct it',
    ]);
  });
});

describe('a TrustBundle', () => {
  let world: CertificateWorld;
  afterEach(() => world.close());
  const published = async (namespace: string) =>
    ((await world.operator.memory.read(ConfigMap, { namespace, name: 'company' })) as LiveConfigMap | undefined)?.data;
  const namespace = (name: string, labels: object) => ({
    ...{ apiVersion: 'v1', kind: 'Namespace' },
    metadata: { name, labels: { ...labels } },
  });
  const target = { configMap: 'company' };

  it('is published in each selected namespace, and removed from one that is no longer selected', async () => {
    const sources = [{ inline: one }, { issuer: { name: 'internal', namespace: 'shop' } }];
    const namespaces = { matchLabels: { trust: 'company' } };
    world = await CertificateWorld.start(
      [Namespace, namespace('front', { trust: 'company' })],
      [issuerKind, givenIssuer({ commonName: 'internal CA' })],
      [certificateKind, givenCertificate()],
      [trustBundleKind, givenTrustBundle({ sources, namespaces, target })],
    );
    const ca = (await world.secret())?.['ca.crt'] ?? '';
    expect(await published('front')).toEqual({ 'ca.crt': `${one}${ca}` });
    expect(await published('shop')).toBeUndefined();

    await world.operator.given(Namespace, namespace('front', { trust: 'no' }));
    await world.operator.given(Namespace, namespace('back', { trust: 'company' }));
    await world.rest();
    expect(await published('front')).toBeUndefined();
    expect(await published('back')).toEqual({ 'ca.crt': `${one}${ca}` });
  });

  it('keeps the certificates of a source that is missing, and tells which', async () => {
    const configMap = { name: 'cas', namespace: 'shop', key: 'extra.crt' };
    const sources = [{ configMap }, { inline: one }];
    const cas = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cas', namespace: 'shop' } };
    world = await CertificateWorld.start(
      [ConfigMap, { ...cas, data: { 'extra.crt': other } } as never],
      [trustBundleKind, givenTrustBundle({ sources, namespaces: {}, target })],
    );
    expect(await published('shop')).toEqual({ 'ca.crt': `${other}${one}` });
    await world.remove(ConfigMap, 'cas');
    expect(await published('shop')).toEqual({ 'ca.crt': `${other}${one}` });
    expect(await world.condition(trustBundleKind, 'company', 'Synced')).toBe(
      'False SourceNotFound: spec.sources[0]: Key extra.crt of ConfigMap shop/cas does not exist, and its earlier certificates stay in the bundle; create it, or remove the source',
    );
    // The other source moves on, and a new process knows what the missing one had.
    world = await world.restarted();
    const changed = givenTrustBundle({ sources: [{ configMap }, { inline: three }], namespaces: {}, target });
    await world.operator.given(trustBundleKind, changed);
    await world.rest();
    expect(await published('shop')).toEqual({ 'ca.crt': `${other}${three}` });
    // A source that is removed takes its certificates with it.
    const without = givenTrustBundle({ sources: [{ inline: three }], namespaces: {}, target });
    await world.operator.given(trustBundleKind, without);
    await world.rest();
    expect(await published('shop')).toEqual({ 'ca.crt': three });
    expect(await world.condition(trustBundleKind, 'company', 'Synced')).toMatch(/^True Synced/);
  });

  it('waits for each namespace before it is synced, and records since when each source is', async () => {
    const owner = { apiVersion: 'v1', kind: 'Secret', name: 'mine', uid: 'u', controller: true };
    const foreign = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'company', namespace: 'back', ownerReferences: [owner] },
    };
    const status = async () =>
      ((await world.operator.memory.read(trustBundleKind, { name: 'company' })) as TrustBundleResource).status;
    world = await CertificateWorld.start(
      [Namespace, namespace('back', {})],
      [ConfigMap, { ...foreign, data: {} } as never],
      [trustBundleKind, givenTrustBundle({ sources: [{ inline: one }], namespaces: {}, target })],
    );
    expect(await published('shop')).toEqual({ 'ca.crt': one });
    expect(await world.condition(trustBundleKind, 'company', 'Synced')).toBe(
      'Unknown Publishing: The bundle is not yet in the namespaces back',
    );
    expect((await status())?.sources).toEqual([
      { source: 'inline/0', fingerprints: [fingerprintOf(parsed(one) ?? expect.fail())] },
    ]);
    await world.operator.memory.remove(ConfigMap, { namespace: 'back', name: 'company' }, {} as never);
    await world.rest(60_000);
    expect(await world.condition(trustBundleKind, 'company', 'Synced')).toMatch(/^True Synced/);
    const since = (await status())?.sources?.[0]?.since;
    expect(since).toMatch(/Z$/);
    await world.after(3_600_000);
    await world.operator.given(Namespace, namespace('next', {}));
    await world.rest();
    expect(await published('next')).toEqual({ 'ca.crt': one });
    expect((await status())?.sources?.[0]?.since).toBe(since);
  });

  it('drops a certificate when it expires', async () => {
    const sources = [{ inline: `${one}${other}` }];
    world = await CertificateWorld.start([trustBundleKind, givenTrustBundle({ sources, namespaces: {}, target })]);
    expect(await published('shop')).toEqual({ 'ca.crt': `${one}${other}` });
    await world.after(10 * day + 1000);
    expect(await published('shop')).toEqual({ 'ca.crt': other });
  });

  it('has the public CAs', async () => {
    const sources = [{ publicCAs: true }];
    world = await CertificateWorld.start([trustBundleKind, givenTrustBundle({ sources, namespaces: {}, target })]);
    const bundle = (await published('shop'))?.['ca.crt'] ?? '';
    expect(certificatesIn(bundle).length).toBeGreaterThan(50);
    expect(parsed(bundle)?.ca).toBe(true);
    const { status } = (await world.operator.memory.read(trustBundleKind, { name: 'company' })) as TrustBundleResource;
    expect(status?.certificates).toBe(certificatesIn(bundle).length);
  });
});
