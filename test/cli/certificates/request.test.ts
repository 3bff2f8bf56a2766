import { describe, expect, it } from 'vitest';
import { request, requests } from '../../../cli/certificates/request.js';
import { certificateResources, oneCertificate, oneRotation } from '../../../cli/certificates/resources.js';
import { certificateKind, issuerKind, secretRotationKind, trustBundleKind } from '../../../imports/index.js';
import { ApiError } from '../../../operator/runtime/kubernetes/errors.js';
import type { ObjectKind } from '../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../operator/testing/index.js';
import { now } from '../status/given-conditions.js';
import { healthy } from './given-resources.js';

const name = { namespace: 'shop', name: 'shop' };
const apiVersion = 'reconstruct.dev/v1alpha1';

async function given(...objects: readonly (readonly [ObjectKind, object])[]): Promise<MemoryCluster> {
  const cluster = new MemoryCluster();
  for (const [kind, object] of objects) await cluster.create(kind, object as Manifest, { manager: 'user' });
  return cluster;
}

const certificate = (metadata: object = {}) => ({
  ...{ apiVersion, kind: 'Certificate', metadata: { ...name, ...metadata } },
  spec: { secretName: 'shop-tls', issuer: { name: 'internal', kind: 'Issuer' } },
});

describe('a request', () => {
  it.each([
    {
      verb: 'renew' as const,
      kind: certificateKind,
      annotation: 'reconstruct.dev/renew',
      told: 'Certificate shop/shop: requested a renewal; to follow it, run reconstruct certificates status shop -n shop',
    },
    {
      verb: 'rotate' as const,
      kind: secretRotationKind,
      annotation: 'reconstruct.dev/rotate',
      told: 'SecretRotation shop/shop: requested a rotation; to follow it, run reconstruct rotation status shop -n shop',
    },
  ])('to $verb is an annotation, beside those of others', async ({ verb, kind, annotation, told }) => {
    const metadata = { ...name, annotations: { own: '1' } };
    const cluster = await given([kind, { apiVersion, kind: kind.kind, metadata, spec: { own: 1 } }]);
    expect(await request(cluster, requests[verb], name, now)).toBe(told);
    const live = await cluster.read(kind, name);
    expect(live?.metadata.annotations).toEqual({ own: '1', [annotation]: '2030-01-01T00:00:00.000Z' });
    expect(live).toMatchObject({ spec: { own: 1 } });
  });

  it('for a resource that does not exist is refused, and creates nothing', async () => {
    const cluster = await given();
    await expect(request(cluster, requests.renew, name, now)).rejects.toThrow(
      'Certificate shop/shop not found; check the name and --namespace',
    );
    expect(await cluster.read(certificateKind, name)).toBeUndefined();
  });

  it('for a resource that is being deleted is refused', async () => {
    const cluster = await given([certificateKind, certificate({ finalizers: ['example.com/hold'] })]);
    const live = await cluster.read(certificateKind, name);
    await cluster.remove(certificateKind, name, { uid: live?.metadata.uid ?? '' });
    await expect(request(cluster, requests.renew, name, now)).rejects.toThrow(
      'Certificate shop/shop is being deleted, so the operator ignores a renewal',
    );
  });

  it('is meant for the resource that was read, not for one that was created under its name since', async () => {
    const cluster = await given([certificateKind, certificate()]);
    const old = { ...(await cluster.read(certificateKind, name)), metadata: { ...name, uid: 'earlier' } };
    const behind = { read: async () => old, apply: cluster.apply.bind(cluster) } as unknown as Cluster;
    await expect(request(behind, requests.renew, name, now)).rejects.toThrow();
    expect((await cluster.read(certificateKind, name))?.metadata.annotations).toBeUndefined();
  });
});

describe('the resources of a status', () => {
  const place = (kind: string, of: string, namespace?: string) => ({
    ...{ apiVersion, kind, metadata: { name: of, ...(namespace && { namespace }) }, spec: {} },
  });
  /** A cluster that refuses to list some kinds. */
  const refusing = (cluster: Cluster, refused: Readonly<Record<string, ApiError>>) =>
    ({
      list: async (...[kind, query]: Parameters<Cluster['list']>) => {
        const error = refused[kind.kind];
        if (error) throw error;
        return cluster.list(kind, query);
      },
    }) as Cluster;
  const forbidden = new ApiError('trustbundles is forbidden', { code: 403, reason: 'Forbidden' });
  const notServed = new ApiError('page not found', { code: 404, reason: 'NotFound' });

  it('are those of the namespace and of the cluster, also if they come in pages', async () => {
    const cluster = await given(
      [certificateKind, certificate()],
      [certificateKind, { ...certificate({ name: 'second' }) }],
      [certificateKind, { ...certificate({ namespace: 'other' }) }],
      [issuerKind, place('Issuer', 'internal', 'shop')],
      [trustBundleKind, place('TrustBundle', 'company')],
    );
    const paged = {
      list: (kind, query) => cluster.list(kind, { ...query, limit: 1 }),
    } as Pick<Cluster, 'list'> as Cluster;
    const found = await certificateResources(paged, 'shop');
    const { certificates, issuers, trustBundles, rotations, notes } = found;
    const names = [...certificates, ...issuers, ...trustBundles].map(({ metadata }) => metadata.name);
    expect({ names, rotations, notes }).toEqual({
      ...{ names: ['shop', 'second', 'internal', 'company'], rotations: [], notes: [] },
    });
    expect((await certificateResources(paged, undefined)).certificates.length).toBe(3);
  });

  it('leave out a kind that the user may not list, with a note', async () => {
    const cluster = await given([certificateKind, certificate()]);
    const found = await certificateResources(refusing(cluster, { TrustBundle: forbidden }), 'shop');
    expect(found.certificates.length).toBe(1);
    expect(found.notes).toEqual(['TrustBundle is not shown: trustbundles is forbidden']);
  });

  it('leave out a kind that the API server does not serve, with a note', async () => {
    const found = await certificateResources(refusing(await given(), { SecretRotation: notServed }), 'shop');
    expect(found.notes).toEqual([
      'SecretRotation is not shown: the API server does not serve SecretRotation.reconstruct.dev as reconstruct.dev/v1alpha1; apply the CRD secretrotations.reconstruct.dev first',
    ]);
  });

  it.each([
    { when: 'Certificates are forbidden', error: forbidden, message: 'trustbundles is forbidden' },
    {
      when: 'Certificates are not served',
      error: notServed,
      message: /apply the CRD certificates.reconstruct.dev first/,
    },
  ])('are refused when $when', async ({ error, message }) => {
    await expect(certificateResources(refusing(await given(), { Certificate: error }), 'shop')).rejects.toThrow(
      message,
    );
  });

  it('of one Certificate are itself and its issuer', () => {
    const { certificates, issuers, clusterIssuers, trustBundles, rotations } = oneCertificate(healthy, name);
    expect([certificates.length, issuers.length, clusterIssuers, trustBundles, rotations]).toEqual([1, 1, [], [], []]);
    expect(() => oneCertificate(healthy, { ...name, name: 'x' })).toThrow('Certificate shop/x not found');
  });

  it('of one SecretRotation are itself', () => {
    const { rotations, certificates } = oneRotation(healthy, { ...name, name: 'orders-app' });
    expect([rotations.length, certificates]).toEqual([1, []]);
    expect(() => oneRotation(healthy, name)).toThrow('SecretRotation shop/shop not found');
  });
});
