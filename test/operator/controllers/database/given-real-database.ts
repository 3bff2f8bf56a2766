import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import { databaseKind } from '../../../../imports/index.js';
import { kubeconfig } from '../../../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../../../operator/cluster/kubernetes-cluster.js';
import { database } from '../../../../operator/controllers/database/index.js';
import { credentials } from '../../../../operator/controllers/database/ports/credentials.js';
import { type MembersQuestion, members } from '../../../../operator/controllers/database/ports/members.js';
import { restart } from '../../../../operator/controllers/database/ports/restart.js';
import { goneNodesFrom } from '../../../../operator/engines/nodes/gone-nodes-source.js';
import { credentialsSource } from '../../../../operator/engines/postgres/credentials-source.js';
import { restartSource } from '../../../../operator/engines/postgres/restart-source.js';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { type ObjectKind, Pod } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import { provided } from '../../../../operator/runtime/ports/external-port.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { Operator } from '../../../../operator/runtime/reconcile/operator.js';
import { ControlPlane } from '../../../../operator/testing/index.js';
import type { Manifest as Rendered } from '../../../../src/index.js';
import { install } from '../../../acceptance/given/installation.js';
import { freshNamespace } from '../../../given/control-plane.js';
import type { Loose } from '../../../given.js';
import { appliedOn } from '../../../src/given-applied.js';

/** The controller as the runtime runs it. */
const controller = database as unknown as Controller;
const patroni = { manager: 'patroni' };
const quotaKind: ObjectKind = {
  ...{ group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true },
};

/**
 * Databases on a real API server with its own controllers, under the rights that ours derive. There are no kubelets: the
 * test plays them, and Patroni, whose word is that `orders-1` leads and every other pod that is ready follows it.
 */
export class RealDatabase {
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  namespace = '';

  private constructor(
    readonly controlPlane: ControlPlane,
    readonly cluster: KubernetesCluster,
  ) {}

  static async start(): Promise<RealDatabase> {
    const controlPlane = await ControlPlane.start();
    await install(controlPlane);
    const world = new RealDatabase(
      controlPlane,
      new KubernetesCluster(new Transport(await kubeconfig(controlPlane.kubeconfig))),
    );
    const operator = new Operator({
      controllers: [controller],
      ports: [
        provided(credentials, credentialsSource(systemClock)),
        provided(members, (question) => world.#tell(question)),
        provided(restart, restartSource),
        goneNodesFrom(world.cluster),
      ],
      cluster: await under(controlPlane),
      clock: systemClock,
      telemetry: silent,
      ...{
        namespaces: [],
        maxConcurrentReconciles: 4,
        resyncPeriod: 600_000,
        reconcileTimeout: 120_000,
        gracefulShutdownTimeout: 5_000,
        identity: 'test',
      },
    });
    world.#running = operator.run(world.#stop.signal);
    return world;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.controlPlane.stop();
  }

  /** A Database `orders`, in a namespace of its own or in the last one. */
  async given(spec: object, isNew = true): Promise<void> {
    if (isNew) this.namespace = await freshNamespace(this.controlPlane);
    const object = {
      ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'Database' },
      metadata: { name: 'orders', namespace: this.namespace },
      spec: { storage: { size: '1Gi' }, ...spec },
    } as Manifest;
    await this.cluster.apply(databaseKind, object, { manager: 'somebody' });
  }

  /** A pod gets ready, with the role that Patroni gives it. */
  async runs(name: string, role: 'master' | 'replica'): Promise<void> {
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: this.namespace, labels: { role } } };
    await this.cluster.apply(Pod, object as Manifest, patroni);
    const at = new Date().toISOString().replace(/\.\d+/, '');
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: at, lastProbeTime: null }];
    const address = `10.0.0.${name.slice(-1)}`;
    const status = { phase: 'Running', podIP: address, podIPs: [{ ip: address }], conditions };
    await this.cluster.apply(Pod, { ...object, status } as Manifest, { manager: 'kubelet', subresource: 'status' });
  }

  /** A pod is deleted. */
  async loses(name: string): Promise<void> {
    const pod = { name, namespace: this.namespace };
    const { uid = '' } = (await this.cluster.read(Pod, pod))?.metadata ?? {};
    await this.cluster.remove(Pod, pod, { uid });
  }

  /** The ResourceQuota `team` of the namespace has these limits. */
  async limits(hard: Readonly<Record<string, string>>): Promise<void> {
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team', namespace: this.namespace } };
    await this.cluster.apply(quotaKind, { ...quota, spec: { hard } } as Manifest, { manager: 'somebody' });
    await this.until(async () => (await this.read(quotaKind, 'team'))?.['status']?.hard, hard);
  }

  /** Names of its objects of a kind. */
  async names(kind: ObjectKind): Promise<string[]> {
    const { items } = await this.cluster.list(kind, { namespace: this.namespace });
    return items
      .map(({ metadata }) => metadata.name)
      .filter((name) => name.startsWith('orders'))
      .sort();
  }

  async read(kind: ObjectKind, name: string): Promise<Loose | undefined> {
    return (await this.cluster.read(kind, { name, namespace: this.namespace })) as Loose | undefined;
  }

  async until(what: () => Promise<unknown>, wanted: unknown): Promise<void> {
    const look = async () => {
      const is = JSON.stringify(await what());
      if (is !== JSON.stringify(wanted)) throw new Error(`${what} is ${is}, not ${JSON.stringify(wanted)}`);
    };
    await vi.waitFor(look, { timeout: 90_000, interval: 200 });
  }

  async #tell({ members: asked }: MembersQuestion) {
    const common = { state: 'running', timeline: 1, position: 0x3000000, version: '15.20' };
    const others = asked.filter(({ name }) => name !== 'orders-1');
    const streaming = Object.fromEntries(others.map(({ name }) => [name, { synchronous: true }]));
    const reports = asked.map(({ name }) => {
      const own = name === 'orders-1' ? { role: 'primary' as const, streaming } : { role: 'replica' as const };
      return [name, { ...own, ...common }] as const;
    });
    return { reports: Object.fromEntries(reports), silent: {} };
  }
}

/** The cluster as somebody sees it who has the rights of the controller, and no others. */
async function under(controlPlane: ControlPlane): Promise<KubernetesCluster> {
  const name = `database-${randomBytes(4).toString('hex')}`;
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const role = { apiVersion, kind: 'ClusterRole', metadata: { name }, rules: controller.rbacRules };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const subjects = [{ kind: 'User', apiGroup: roleRef.apiGroup, name }];
  const binding = { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects };
  await appliedOn(controlPlane, [role, binding] as unknown as readonly Rendered[]);
  return new KubernetesCluster(new Transport(await kubeconfig(await controlPlane.addUser({ name }))));
}
