import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newPrivateKey } from '../../../../../operator/certificates/keys.js';
import { selfSigned } from '../../../../../operator/certificates/signing.js';
import { type LiveConfigMap, Namespace } from '../../../../../operator/runtime/index.js';
import { CertificateWorld, ConfigMap, givenTrustBundle, trustBundleKind } from '../given-certificates.js';

let world: CertificateWorld;
afterEach(() => world.close());

const authority = async (commonName: string) => {
  const key = await newPrivateKey({ algorithm: 'ECDSA', size: 256 });
  const validity = { from: Date.parse('2029-12-01'), to: Date.parse('2039-12-01') };
  return selfSigned({ commonName, usages: [], isCA: true, validity }, key);
};
let [good, evil] = ['', ''];
beforeAll(async () => {
  [good, evil] = await Promise.all([authority('good'), authority('evil')]);
});

describe('a TrustBundle whose source is missing', () => {
  const cas = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cas', namespace: 'shop' } };
  const bundle = (target = { configMap: 'company', key: 'ca.crt' }) =>
    givenTrustBundle({ sources: [{ configMap: { name: 'cas', namespace: 'shop' } }], namespaces: {}, target });
  const published = async (namespace: string, name = 'company') =>
    ((await world.operator.memory.read(ConfigMap, { namespace, name })) as LiveConfigMap | undefined)?.data;
  const edit = (namespace: string, text: string) => {
    const manifest = { ...cas, metadata: { name: 'company', namespace }, data: { 'ca.crt': text } };
    return world.operator.memory.apply(ConfigMap, manifest as never, { manager: 'user' });
  };
  const published2 = async () => {
    world = await CertificateWorld.start(
      [Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'aaa' } }],
      [ConfigMap, { ...cas, data: { 'ca.crt': good } } as never],
      [trustBundleKind, bundle()],
    );
    await world.remove(ConfigMap, 'cas');
  };

  it('does not spread what a user writes into one namespace, and takes it back', async () => {
    await published2();
    await edit('aaa', evil);
    await world.rest(60_000);
    world = await world.restarted();
    expect([await published('aaa'), await published('shop')]).toEqual([{ 'ca.crt': good }, { 'ca.crt': good }]);
  });

  it('keeps each ConfigMap as it is if users edited all of them', async () => {
    await published2();
    await Promise.all([edit('aaa', evil), edit('shop', '')]);
    await world.rest(60_000);
    expect([await published('aaa'), await published('shop')]).toEqual([{ 'ca.crt': evil }, { 'ca.crt': '' }]);
  });

  it('moves the bundle to another key and ConfigMap', async () => {
    await published2();
    await world.operator.given(trustBundleKind, bundle({ configMap: 'other', key: 'roots.pem' }));
    await world.rest();
    expect(await published('shop', 'other')).toEqual({ 'roots.pem': good });
    expect(await published('shop')).toBeUndefined();
  });
});
