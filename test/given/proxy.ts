import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach } from 'vitest';
import { kubeconfig } from '../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../operator/cluster/http/transport.js';
import { Namespace, type ObjectKind, RoleBinding, ServiceAccount } from '../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../operator/runtime/kubernetes/object.js';
import { type AuditedRequest, FaultProxy } from '../../operator/testing/index.js';
import { administratorOf, givenControlPlane } from './control-plane.js';

/** A robot that may edit one namespace and comes by way of a proxy of its own, anew for each test. */
export class GivenProxy {
  private constructor(
    readonly proxy: FaultProxy,
    readonly transport: Transport,
    readonly namespace: string,
    /** The robot's kubeconfig without the proxy. */
    readonly direct: string,
    /** Where the audit log ended before. */
    readonly since: number,
  ) {}

  /** @returns that of the test that runs */
  static forEach(): () => GivenProxy {
    let given: GivenProxy | undefined;
    beforeEach(async () => {
      given = await GivenProxy.start();
    });
    afterEach(async () => {
      await given?.proxy.stop();
      await given?.transport.close();
    });
    return () => {
      if (given) return given;
      throw new Error('the proxy runs only while a test does');
    };
  }

  private static async start(): Promise<GivenProxy> {
    const controlPlane = givenControlPlane();
    const since = await controlPlane.auditPosition();
    const namespace = `proxy-${randomBytes(5).toString('hex')}`;
    const administrator = await administratorOf(controlPlane);
    for (const [kind, manifest] of robotOf(namespace)) await administrator.create(kind, manifest, { manager: 'tests' });
    const direct = await controlPlane.serviceAccountKubeconfig({ namespace, name: 'robot' });
    const proxy = await FaultProxy.start(controlPlane);
    const transport = new Transport(await kubeconfig(await proxy.kubeconfig(direct)), { connections: 4 });
    return new GivenProxy(proxy, transport, namespace, direct, since);
  }

  /** What the API server saw of the robot's requests about ConfigMaps. */
  async seen(since = this.since): Promise<readonly AuditedRequest[]> {
    const requests = await givenControlPlane().requests(since);
    return requests.filter(
      ({ namespace, resource, user }) =>
        namespace === this.namespace && resource === 'configmaps' && user.endsWith(':robot'),
    );
  }
}

/** A namespace with an account that may edit it. */
function robotOf(namespace: string): readonly (readonly [ObjectKind, Manifest])[] {
  const metadata = { name: 'robot', namespace };
  const subjects = [{ kind: 'ServiceAccount', ...metadata }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' };
  const binding = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata, subjects, roleRef };
  return [
    [Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }],
    [ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata }],
    [RoleBinding, binding],
  ];
}
