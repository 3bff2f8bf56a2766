import { afterAll, describe, expect, test } from 'vitest';
import { kubeconfig } from '../../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../../operator/cluster/kubernetes-cluster.js';
import { ConfigMap, Deployment, type ObjectKind } from '../../../operator/runtime/kubernetes/kinds.js';
import { freshNamespace, givenControlPlane } from '../../given/control-plane.js';
import { clusterContract } from './cluster.contract.js';

const controlPlane = givenControlPlane();
const transport = kubeconfig(controlPlane.kubeconfig).then((connection) => new Transport(connection));

afterAll(async () => (await transport).close());

clusterContract(async () => ({
  cluster: new KubernetesCluster(await transport),
  namespace: await freshNamespace(controlPlane),
}));

describe('what is not there', () => {
  const unserved: ObjectKind = {
    group: 'nobody.example',
    version: 'v1',
    kind: 'Nobody',
    plural: 'nobodies',
    namespaced: true,
  };
  const at = { namespace: 'no-such-namespace', name: 'a' };
  test.each([
    { what: 'a read', call: (kind: ObjectKind, cluster: KubernetesCluster) => cluster.read(kind, at) },
    {
      what: 'a removal',
      call: (kind: ObjectKind, cluster: KubernetesCluster) => cluster.remove(kind, at, { uid: '1' }),
    },
  ])('R4 of a kind that is not served fails, and finds nothing of one that is: $what', async ({ call }) => {
    const cluster = new KubernetesCluster(await transport);
    await expect(call(unserved, cluster)).rejects.toMatchObject({ code: 404, reason: 'NotFound' });
    expect(await call(ConfigMap, cluster)).toBeUndefined();
  });

  test('R22 is by the discovery what has no group, and what its group has in no version', async () => {
    const cluster = new KubernetesCluster(await transport);
    expect(await cluster.discover(unserved)).toEqual([]);
    expect(await cluster.discover({ ...Deployment, kind: 'Nobody', plural: 'nobodies' })).toEqual([]);
    expect(await cluster.discover({ ...Deployment, version: 'v1beta1' })).toEqual(['v1']);
  });

  test('R4 R25 of an object that is made in a namespace that is not there, the namespace is what is missing', async () => {
    const cluster = new KubernetesCluster(await transport);
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: at };
    const missing = { reason: 'NotFound', missing: 'no-such-namespace', missingKind: 'namespaces' };
    await expect(cluster.create(ConfigMap, object, { manager: 'somebody' })).rejects.toMatchObject(missing);
  });
});
