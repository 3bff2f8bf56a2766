import { describe, expect, it } from 'vitest';
import { request, requests } from '../../../cli/requests/request.js';
import { certificateKind, secretRotationKind } from '../../../imports/index.js';
import type { ObjectKind } from '../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../operator/testing/index.js';
import { now } from '../status/given-conditions.js';

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
      told: 'Certificate shop/shop: requested a renewal; to follow it, run reconstruct status certificate shop -n shop',
    },
    {
      verb: 'rotate' as const,
      kind: secretRotationKind,
      annotation: 'reconstruct.dev/rotate',
      told: 'SecretRotation shop/shop: requested a rotation; to follow it, run reconstruct status secretrotation shop -n shop',
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
