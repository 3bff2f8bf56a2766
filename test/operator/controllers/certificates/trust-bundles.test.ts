import { describe, expect, it } from 'vitest';
import { newPrivateKey } from '../../../../operator/certificates/keys.js';
import { fingerprintOf, parsed } from '../../../../operator/certificates/reading.js';
import { selfSigned } from '../../../../operator/certificates/signing.js';
import {
  bundledTime,
  bundlesOf,
  bundlesWithout,
  issuersIn,
  namingBundle,
} from '../../../../operator/controllers/certificates/issuer/authority/trust-bundles.js';
import { rolledOverOf } from '../../../../operator/controllers/certificates/issuer/findings/rolled-over.js';
import { givenTrustBundle } from './given-certificates.js';

const minute = 60_000;
const since = '2030-01-01T00:00:00Z';
const own = { name: 'internal', namespace: 'shop' };
const bundle = (status: object) => {
  const sources = [{ inline: 'PEM' }, { issuer: own }, { issuer: { name: 'company', kind: 'ClusterIssuer' as const } }];
  return { ...givenTrustBundle({ sources, namespaces: {}, target: { configMap: 'cas' } }), status } as never;
};

describe('the TrustBundles that name an issuer', () => {
  it('are found for an Issuer and for a ClusterIssuer, with the certificates of each', () => {
    expect(issuersIn(bundle({}))).toEqual(['Issuer/shop/internal', 'ClusterIssuer/company']);
    const sources = [
      { source: 'inline/0', fingerprints: ['x'], since },
      { source: 'Issuer/shop/internal', fingerprints: ['a'], since },
      { source: 'ClusterIssuer/company', fingerprints: ['b'] },
    ];
    const found = [namingBundle(bundle({ sources }))];
    expect(found[0]?.sources.map(({ source }) => source)).toEqual(['Issuer/shop/internal', 'ClusterIssuer/company']);
    const known = (index: string) => bundlesOf(found, index);
    expect(known('Issuer/shop/internal')).toEqual([{ name: 'company', fingerprints: ['a'], since: Date.parse(since) }]);
    expect(known('ClusterIssuer/company')).toEqual([{ name: 'company', fingerprints: ['b'], since: undefined }]);
    expect(bundlesOf([namingBundle(bundle({}))], 'Issuer/shop/internal')).toEqual([
      { name: 'company', fingerprints: [], since: undefined },
    ]);
  });

  it('have a CA if every namespace has it, and their clients load it for a tenth of renewBefore', () => {
    const having = { name: 'a', fingerprints: ['x', 'y'], since: 5 };
    const later = { ...having, name: 'b', since: 7 };
    const lacking = { ...having, name: 'c', fingerprints: ['x'] };
    const unpublished = { ...having, name: 'd', since: undefined };
    const lifetime = { duration: 60 * minute, renewBefore: 30 * minute };
    expect(bundlesWithout('y', [having, lacking, later, unpublished])).toEqual(['c', 'd']);
    expect(bundledTime('y', [having, later], lifetime)).toBe(7 + 3 * minute);
    expect(bundledTime('y', [having, lacking], lifetime)).toBeUndefined();
    expect(bundledTime('y', [], lifetime)).toBe(0);
  });

  it('are named if they lack the CA of a user', async () => {
    const key = await newPrivateKey({ algorithm: 'ECDSA', size: 256 });
    const validity = { from: Date.parse(since), to: Date.parse(since) + 1000 * minute };
    const root = await selfSigned({ commonName: 'own', usages: [], isCA: true, validity }, key);
    const fingerprint = fingerprintOf(parsed(root) ?? expect.fail());
    const reasonWith = (fingerprints: readonly string[]) => {
      const bundles = [{ name: 'company', fingerprints, since: 0 }];
      const authority = { fingerprint, ...validity, chain: [], roots: [root] };
      const situation = { is: 'userProvided', bundles, authority, now: validity.from };
      return rolledOverOf(situation as never, { by: 'nobody' }).reason;
    };
    expect(reasonWith([])).toBe('BundleOutdated');
    expect(reasonWith([fingerprint])).toBe('UpToDate');
  });
});
