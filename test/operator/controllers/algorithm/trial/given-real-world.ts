import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import {
  type AlgorithmResource,
  type AlgorithmSpecInput,
  algorithmKind,
  gatewayClassKind,
  httpRouteKind,
} from '../../../../../imports/index.js';
import { kubeconfig } from '../../../../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../../../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../../../../operator/cluster/kubernetes-cluster.js';
import { algorithm, level, trial } from '../../../../../operator/controllers/algorithm/index.js';
import {
  type RequestMetricsAnswer,
  type RequestMetricsQuestion,
  requestMetrics,
} from '../../../../../operator/controllers/algorithm/ports/request-metrics.js';
import { gateway } from '../../../../../operator/controllers/gateway/index.js';
import { startingPodsFrom } from '../../../../../operator/engines/metrics/starting-pods-source.js';
import { conditionOf } from '../../../../../operator/runtime/index.js';
import { Deployment, type ObjectKind } from '../../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../../../../../operator/runtime/kubernetes/object.js';
import { systemClock } from '../../../../../operator/runtime/ports/clock.js';
import { provided } from '../../../../../operator/runtime/ports/external-port.js';
import { silent } from '../../../../../operator/runtime/ports/telemetry.js';
import { Operator } from '../../../../../operator/runtime/reconcile/operator.js';
import { ControlPlane } from '../../../../../operator/testing/index.js';
import { gatewayApiCrds, type Manifest as Rendered } from '../../../../../src/index.js';
import { install } from '../../../../acceptance/given/installation.js';
import { freshNamespace } from '../../../../given/control-plane.js';
import type { Loose } from '../../../../given.js';
import { appliedOn } from '../../../../src/given-applied.js';
import { gatewayClass } from '../given-gateway-class.js';
import { type Behaviour, Counted } from './given-counted.js';

/** All that an Algorithm has to do with. */
const controllers = [algorithm, trial, level, gateway];

const somebody = { manager: 'somebody' };
/** Milliseconds in which kubelets, proxies and clients do their part once. */
const tick = 250;

/**
 * An Algorithm `reco` on a real API server, under the rights that the controllers derive, with pods, proxies and clients of
 * the test's. The server is one of its own: on that which all tests share, nobody is to find the Gateway API, and
 * Kubernetes' own controllers say how many pods there are.
 */
export class RealWorld {
  behaviours: Readonly<Record<string, Behaviour>> = {};
  /** What the operator logged as a warning or worse. */
  readonly complaints: string[] = [];
  readonly #stop = new AbortController();
  readonly #counted = new Counted();
  #running: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly controlPlane: ControlPlane,
    readonly cluster: KubernetesCluster,
    readonly namespace: string,
  ) {}

  static async start(): Promise<RealWorld> {
    const controlPlane = await ControlPlane.start({ controllerManager: 'none' });
    await install(controlPlane);
    await appliedOn(controlPlane, gatewayApiCrds() as unknown as readonly Rendered[]);
    const transport = new Transport(await kubeconfig(controlPlane.kubeconfig));
    const world = new RealWorld(controlPlane, new KubernetesCluster(transport), await freshNamespace(controlPlane));
    await world.cluster.apply(gatewayClassKind, gatewayClass, somebody);
    const cluster = await under(controlPlane);
    const operator = new Operator({
      controllers,
      cluster,
      clock: systemClock,
      telemetry: { ...silent, log: { ...silent.log, warn: world.#complain, error: world.#complain } },
      ports: [provided(requestMetrics, async (question) => world.#answer(question)), startingPodsFrom(cluster)],
      ...{
        namespaces: [world.namespace],
        maxConcurrentReconciles: 4,
        resyncPeriod: 600_000,
        reconcileTimeout: 120_000,
        gracefulShutdownTimeout: 5_000,
      },
      identity: world.namespace,
    });
    world.#running = Promise.all([operator.run(world.#stop.signal), world.#live()]);
    return world;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.controlPlane.stop();
  }

  async apply(spec: AlgorithmSpecInput): Promise<void> {
    const metadata = { name: 'reco', namespace: this.namespace };
    const object = { apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', metadata, spec };
    await this.cluster.apply(algorithmKind, object as Manifest, somebody);
  }

  async resource(): Promise<AlgorithmResource & Loose> {
    return (await this.#read(algorithmKind, 'reco')) as unknown as AlgorithmResource & Loose;
  }

  async condition(type: string): Promise<string | undefined> {
    const found = conditionOf(await this.resource(), type);
    return found && `${found.status} ${found.reason}`;
  }

  async imageOf(name: string): Promise<string | undefined> {
    return (await this.#read(Deployment, name))?.['spec'].template.spec.containers[0].image;
  }

  async until(what: () => Promise<unknown>, wanted: unknown): Promise<void> {
    const look = async () => {
      const is = await what();
      if (is !== wanted) throw new Error(`${what} is ${is}, not ${wanted}; ${this.complaints.slice(-2).join('; ')}`);
    };
    await vi.waitFor(look, { timeout: 120_000, interval: 100 });
  }

  async #read(kind: ObjectKind, name: string): Promise<Loose | undefined> {
    return (await this.cluster.read(kind, { name, namespace: this.namespace })) as Loose | undefined;
  }

  readonly #complain = (fields: object, message: string): void => {
    this.complaints.push(`${message} ${JSON.stringify(fields)}`);
  };

  async #live(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const weight = await this.#proxies();
      for (const [service, deployment, share] of [
        ['reco-stable', 'reco', 100 - weight],
        ['reco-trial', 'reco-trial', weight],
      ] as const) {
        const image = await this.#pods(deployment);
        this.#counted.ask(service, share, this.behaviours[image ?? ''] ?? {});
      }
      await new Promise((resolve) => setTimeout(resolve, tick));
    }
  }

  /** All replicas of a Deployment are ready at once. */
  async #pods(name: string): Promise<string | undefined> {
    const deployment = await this.#read(Deployment, name);
    if (!deployment) return undefined;
    const { replicas = 1, template } = deployment['spec'];
    const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
    await this.#says(Deployment, deployment, { observedGeneration: deployment.metadata.generation, ...counts });
    return template.spec.containers[0].image;
  }

  /** The route is taken up as it is. @returns what the version on trial gets, in per cent */
  async #proxies(): Promise<number> {
    const route = await this.#read(httpRouteKind, 'reco');
    if (!route) return 0;
    const { parentRefs, rules } = route['spec'];
    const accepted = { type: 'Accepted', status: 'True', reason: 'Accepted', message: '' };
    const times = { observedGeneration: route.metadata.generation, lastTransitionTime: '2020-01-01T00:00:00Z' };
    const parents = [
      {
        parentRef: parentRefs[0],
        controllerName: 'traefik.io/gateway-controller',
        conditions: [{ ...accepted, ...times }],
      },
    ];
    await this.#says(httpRouteKind, route, { parents });
    return rules.at(-1).backendRefs.find((one: { name: string }) => one.name === 'reco-trial')?.weight ?? 0;
  }

  async #says(kind: ObjectKind, { apiVersion, metadata }: LiveObject, status: object): Promise<void> {
    const { name, namespace = '' } = metadata;
    const object = { apiVersion, kind: kind.kind, metadata: { name, namespace }, status } as Manifest;
    // It may have gone since.
    await this.cluster.apply(kind, object, { manager: 'cluster', subresource: 'status' }).catch(() => undefined);
  }

  #answer({ sides }: RequestMetricsQuestion): RequestMetricsAnswer {
    const at = Date.now();
    const readings = Object.entries(sides).map(
      ([side, { services }]) => [side, { at, sources: { proxy: this.#counted.countersOf(services) } }] as const,
    );
    return { sides: Object.fromEntries(readings), silent: [], proxies: ['proxy'] };
  }
}

/** The cluster as somebody sees it who has the rights of the controllers, and no others. */
async function under(controlPlane: ControlPlane): Promise<KubernetesCluster> {
  const name = `trial-${randomBytes(4).toString('hex')}`;
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const rules = controllers.flatMap(({ rbacRules }) => rbacRules);
  const role = { apiVersion, kind: 'ClusterRole', metadata: { name }, rules };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const subjects = [{ kind: 'User', apiGroup: roleRef.apiGroup, name }];
  const binding = { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects };
  await appliedOn(controlPlane, [role, binding] as unknown as readonly Rendered[]);
  return new KubernetesCluster(new Transport(await kubeconfig(await controlPlane.addUser({ name }))));
}
