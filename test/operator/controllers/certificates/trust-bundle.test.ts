import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TrustBundleResource } from '../../../../imports/index.js';
import { newPrivateKey } from '../../../../operator/certificates/keys.js';
import { certificatesIn, parsed } from '../../../../operator/certificates/reading.js';
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
let [one, other, expired] = ['', '', ''];
beforeAll(async () => {
  [one, other, expired] = await Promise.all([authority('one', 10), authority('other', 20), authority('expired', -1)]);
});

describe('a bundle', () => {
  const source = (text: string | undefined) => ({ title: 'Source', text });

  it('has each certificate once, in the order of the sources, without expired ones', () => {
    const found = bundleOf([source(`${other}${expired}${one}`), source(one)], now);
    expect(found).toEqual({ is: 'complete', text: `${other}${one}`, size: 2, notAfter: now + 10 * day });
  });

  it.each<{ is: string; what: string; text: () => string | undefined }>([
    { is: 'SourceNotFound', what: 'missing', text: () => undefined },
    { is: 'InvalidSource', what: 'empty', text: () => '' },
    { is: 'InvalidSource', what: 'expired', text: () => expired },
    { is: 'InvalidSource', what: 'junk', text: () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
  ])('is not built from a source that is $what', ({ is, text }) => {
    expect(bundleOf([source(one), source(text())], now)).toMatchObject({ is });
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

  it('stays as it is while a source is missing, and tells which', async () => {
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
      'False SourceNotFound: Key extra.crt of ConfigMap shop/cas does not exist; create it, or remove the source',
    );
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
