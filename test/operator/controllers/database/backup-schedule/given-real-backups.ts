import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import { type DatabaseResource, databaseBackupKind, databaseKind } from '../../../../../imports/index.js';
import { kubeconfig } from '../../../../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../../../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../../../../operator/cluster/kubernetes-cluster.js';
import { backups } from '../../../../../operator/controllers/database/backup-schedule/index.js';
import { databaseBackup } from '../../../../../operator/controllers/database-backup/index.js';
import { conditionOf } from '../../../../../operator/runtime/index.js';
import { type ObjectKind, Pod } from '../../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../../../../../operator/runtime/kubernetes/object.js';
import { timestampOf } from '../../../../../operator/runtime/kubernetes/timestamp.js';
import { systemClock } from '../../../../../operator/runtime/ports/clock.js';
import { silent } from '../../../../../operator/runtime/ports/telemetry.js';
import { Operator } from '../../../../../operator/runtime/reconcile/operator.js';
import { ControlPlane } from '../../../../../operator/testing/index.js';
import type { Manifest as Rendered } from '../../../../../src/index.js';
import { install } from '../../../../acceptance/given/installation.js';
import { freshNamespace } from '../../../../given/control-plane.js';
import type { Loose } from '../../../../given.js';
import { appliedOn } from '../../../../src/given-applied.js';
import { madeResult } from '../../database-backup/given-backup.js';

const somebody = { manager: 'somebody' };
const controllers = [backups, databaseBackup];

/** Backups on a real API server with its own controllers, under the rights that ours derive; the test plays the workers. */
export class RealBackups {
  /** What workers say, by what they do. Without, they run and run. */
  results: Readonly<Record<string, { readonly said: object; readonly exitCode: number } | undefined>> = {};
  /** When backups are finished: by the clock of the day, since an old one is overdue. */
  readonly finished = timestampOf(Date.now());
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  namespace = '';

  private constructor(
    readonly controlPlane: ControlPlane,
    readonly cluster: KubernetesCluster,
  ) {}

  static async start(): Promise<RealBackups> {
    const controlPlane = await ControlPlane.start();
    await install(controlPlane);
    const transport = new Transport(await kubeconfig(controlPlane.kubeconfig));
    const world = new RealBackups(controlPlane, new KubernetesCluster(transport));
    const operator = new Operator({
      controllers,
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
    world.#running = Promise.all([operator.run(world.#stop.signal), world.#work()]);
    return world;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.controlPlane.stop();
  }

  /** A Database `orders` with a primary that stops at once when it is to, in a namespace of its own. */
  async given(spec: object): Promise<void> {
    this.namespace = await freshNamespace(this.controlPlane);
    this.works();
    await this.again(spec);
  }

  /** Another one of that name. */
  async again(spec: object): Promise<void> {
    const object = {
      apiVersion: 'reconstruct.dev/v1alpha1',
      kind: 'Database',
      metadata: { name: 'orders', namespace: this.namespace },
      spec: { storage: { size: '1Gi' }, ...spec },
    } as Manifest;
    await this.cluster.apply(databaseKind, object, somebody);
    const status = { ...object, spec: undefined, status: { primary: 'orders-1', timeline: 1, closing: 'orders-1' } };
    await this.cluster.apply(databaseKind, status, { ...somebody, subresource: 'status' });
  }

  /** Workers do what they are there for. */
  works(): void {
    const made = { ...madeResult, finished: this.finished };
    this.results = {
      make: { said: made, exitCode: 0 },
      verify: { said: { good: true, message: 'every row was read' }, exitCode: 0 },
      expire: { said: { expired: true }, exitCode: 0 },
      close: { said: { closed: true }, exitCode: 0 },
    };
  }

  /** The archive is away. */
  fails(): void {
    const failed = { said: { problem: 'no route to the archive' }, exitCode: 1 };
    this.results = { make: failed, verify: failed, expire: failed, close: failed };
  }

  async database(): Promise<(DatabaseResource & Loose) | undefined> {
    return (await this.read(databaseKind, 'orders')) as unknown as (DatabaseResource & Loose) | undefined;
  }

  /** A condition of the Database, as `True Saved`. */
  async condition(type: string): Promise<string | undefined> {
    const found = conditionOf(await this.database(), type);
    return found && `${found.status} ${found.reason}`;
  }

  async read(kind: ObjectKind, name: string): Promise<Loose | undefined> {
    return (await this.cluster.read(kind, { name, namespace: this.namespace })) as Loose | undefined;
  }

  /** Its backups, as `Schedule Verified`. */
  async backups(): Promise<string[]> {
    const { items } = await this.cluster.list(databaseBackupKind, { namespace: this.namespace });
    return items.map((one) => `${(one as Loose)['spec'].origin} ${(one as Loose)['status']?.state}`).sort();
  }

  async kubectl(...args: readonly string[]): Promise<void> {
    const { code, stderr } = await this.controlPlane.kubectl([...args, '-n', this.namespace]);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
  }

  async until(what: () => Promise<unknown>, wanted: unknown): Promise<void> {
    const look = async () => {
      const is = JSON.stringify(await what());
      if (is !== JSON.stringify(wanted)) throw new Error(`${what} is ${is}, not ${JSON.stringify(wanted)}`);
    };
    await vi.waitFor(look, { timeout: 150_000, interval: 200 });
  }

  async #work(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const { items } = await this.cluster.list(Pod, { labelSelector: 'reconstruct.dev/backup' });
      await Promise.all(items.map((pod) => this.#end(pod)));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  async #end(pod: LiveObject): Promise<void> {
    const [, task = ''] = /-(make|verify|expire|close)-\d+(-x[0-9a-f]+)?$/.exec(pod.metadata.name) ?? [];
    const result = this.results[task];
    if (!result) return;
    const { name, namespace = '' } = pod.metadata;
    const times = { startedAt: '2026-11-21T03:00:00Z', finishedAt: '2026-11-21T03:00:09Z' };
    const terminated = { exitCode: result.exitCode, message: JSON.stringify(result.said), ...times };
    const container = {
      name: 'worker',
      ready: false,
      restartCount: 0,
      image: 'postgres',
      imageID: '',
      state: { terminated },
    };
    const status = { phase: result.exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses: [container] };
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, status } as Manifest;
    // It may have gone since.
    await this.cluster.apply(Pod, object, { manager: 'kubelet', subresource: 'status' }).catch(() => undefined);
  }
}

/** The cluster as somebody sees it who has the rights of the controllers, and no others. */
async function under(controlPlane: ControlPlane): Promise<KubernetesCluster> {
  const name = `backups-${randomBytes(4).toString('hex')}`;
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const role = {
    apiVersion,
    kind: 'ClusterRole',
    metadata: { name },
    rules: controllers.flatMap(({ rbacRules }) => rbacRules),
  };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const subjects = [{ kind: 'User', apiGroup: roleRef.apiGroup, name }];
  const binding = { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects };
  await appliedOn(controlPlane, [role, binding] as unknown as readonly Rendered[]);
  return new KubernetesCluster(new Transport(await kubeconfig(await controlPlane.addUser({ name }))));
}
