import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, vi } from 'vitest';
import { kubeconfig } from '../../../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../../../operator/cluster/kubernetes-cluster.js';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import type { ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { type Clock, systemClock } from '../../../../operator/runtime/ports/clock.js';
import { silent, type Telemetry } from '../../../../operator/runtime/ports/telemetry.js';
import { Operator } from '../../../../operator/runtime/reconcile/operator.js';
import type { ClusterAccess } from '../../../../operator/testing/index.js';
import { freshNamespace, givenControlPlane } from '../../../given/control-plane.js';
import type { Loose } from '../../../given.js';
import { conditionOf, type WidgetSpec, widget, widgetController, widgetKind } from './widgets.js';

/** A person with kubectl, or another controller. */
export const somebody = { manager: 'somebody' };

interface RealHouseProps {
  /** What to change of the controller of Widgets. */
  readonly controller?: (kind: ObjectKind) => Partial<Controller>;
  readonly clock?: Clock;
  readonly telemetry?: Partial<Telemetry>;
  /** Let it act under the rights that the controller derives, and no others. @default false: as an administrator */
  readonly hasItsRights?: boolean;
}

/** An operator of Widgets on the real control plane. Its kind has a separate group, so no other operator runs it. */
export class RealHouse {
  readonly kind: ObjectKind = { ...widgetKind, group: `g${randomBytes(4).toString('hex')}.example.org` };
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #operatorTransport: Transport | undefined;

  private constructor(
    readonly controlPlane: ClusterAccess,
    readonly cluster: KubernetesCluster,
    readonly namespace: string,
  ) {}

  static async start({
    controller,
    clock = systemClock,
    telemetry,
    hasItsRights = false,
  }: RealHouseProps = {}): Promise<RealHouse> {
    const controlPlane = givenControlPlane();
    const transport = new Transport(await kubeconfig(controlPlane.kubeconfig));
    const house = new RealHouse(controlPlane, new KubernetesCluster(transport), await freshNamespace(controlPlane));
    await house.#define();
    const { kind } = house;
    const widgets = widgetController({ kind, ...controller?.(kind) });
    const operator = new Operator({
      controllers: [widgets],
      cluster: hasItsRights ? await house.#under(widgets) : house.cluster,
      clock,
      telemetry: { ...silent, ...telemetry },
      ...{
        namespaces: [],
        maxConcurrentReconciles: 4,
        resyncPeriod: 600_000,
        reconcileTimeout: 120_000,
        gracefulShutdownTimeout: 5_000,
        identity: kind.group,
      },
    });
    house.#running = operator.run(house.#stop.signal);
    return house;
  }

  async #define(): Promise<void> {
    const { group, kind, plural } = this.kind;
    const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } };
    const version = { name: 'v1', served: true, storage: true, subresources: { status: {} }, schema };
    const names = { kind, plural, singular: kind.toLowerCase() };
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: { group, names, scope: 'Namespaced', versions: [version] },
    };
    await this.kubectl(['apply', '-f', '-'], definition);
    await this.kubectl(['wait', '--for=condition=Established', `crd/${plural}.${group}`]);
  }

  /** The cluster with only the permissions of a controller. */
  async #under({ rbacRules: rules }: Controller): Promise<KubernetesCluster> {
    const name = this.kind.group;
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const role = { apiVersion, kind: 'ClusterRole', metadata: { name }, rules };
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
    const subjects = [{ kind: 'User', apiGroup: roleRef.apiGroup, name }];
    const binding = { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects };
    await this.kubectl(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'List', items: [role, binding] });
    this.#operatorTransport = new Transport(await kubeconfig(await this.controlPlane.addUser({ name })));
    return new KubernetesCluster(this.#operatorTransport);
  }

  /** @throws {Error} when it fails */
  async kubectl(args: readonly string[], input?: object): Promise<string> {
    const options = input && { input: JSON.stringify(input) };
    const { code, stdout, stderr } = await this.controlPlane.kubectl(args, options);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await Promise.all([this.cluster.transport.close(), this.#operatorTransport?.close()]);
    await this.controlPlane.kubectl(['delete', 'crd', `${this.kind.plural}.${this.kind.group}`, '--wait=false']);
  }

  /** Somebody applies a Widget. */
  async apply(name: string, spec: WidgetSpec, metadata: object = {}): Promise<LiveObject> {
    const { apiVersion: _, ...written } = widget(name, spec, { namespace: this.namespace, ...metadata });
    const apiVersion = `${this.kind.group}/v1`;
    return this.cluster.apply(this.kind, { apiVersion, ...written } as Manifest, somebody);
  }

  async read(
    kind: ObjectKind,
    name: string,
    namespace: string | undefined = this.namespace,
  ): Promise<Loose | undefined> {
    return (await this.cluster.read(kind, { name, ...(kind.namespaced && { namespace }) })) as Loose | undefined;
  }

  /** A condition of a Widget as `True Reason`. */
  async condition(name: string, type: string): Promise<string | undefined> {
    const found = conditionOf(await this.read(this.kind, name), type);
    return found && `${found['status']} ${found['reason']}`;
  }

  /** Waits until something holds. */
  async until(holds: () => Promise<unknown>, timeout = 120_000): Promise<void> {
    await vi.waitFor(
      async () => {
        if (!(await holds())) throw new Error(`it never came to hold: ${holds}`);
      },
      { timeout, interval: 20 },
    );
  }
}

/** A house for all tests of a file. */
export function givenRealHouse(props: RealHouseProps = {}): () => RealHouse {
  let house: RealHouse | undefined;
  beforeAll(async () => {
    house = await RealHouse.start(props);
  });
  afterAll(async () => house?.stop());
  return () => {
    if (house) return house;
    throw new Error('the operator runs only while tests do');
  };
}
