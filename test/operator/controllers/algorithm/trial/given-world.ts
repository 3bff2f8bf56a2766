import { algorithmSpec, withDefaults } from '../../../../../crds/index.js';
import {
  type AlgorithmResource,
  type AlgorithmSpecInput,
  algorithmKind,
  gatewayClassKind,
  gatewayKind,
  type HTTPRouteResource,
  httpRouteKind,
} from '../../../../../imports/index.js';
import { algorithm, level, trial } from '../../../../../operator/controllers/algorithm/index.js';
import type { Reading } from '../../../../../operator/controllers/algorithm/judgement/index.js';
import {
  type RequestMetricsAnswer,
  type RequestMetricsQuestion,
  requestMetrics,
} from '../../../../../operator/controllers/algorithm/ports/request-metrics.js';
import { startingPods } from '../../../../../operator/controllers/algorithm/ports/starting-pods.js';
import { gateway } from '../../../../../operator/controllers/gateway/index.js';
import { contains } from '../../../../../operator/runtime/fields/contains.js';
import { ApiError } from '../../../../../operator/runtime/kubernetes/errors.js';
import {
  Deployment,
  distinct,
  Event,
  HorizontalPodAutoscaler,
  type LiveDeployment,
  Service,
} from '../../../../../operator/runtime/kubernetes/kinds.js';
import { controllerOf, type LiveObject, type Manifest } from '../../../../../operator/runtime/kubernetes/object.js';
import { timestampOf } from '../../../../../operator/runtime/kubernetes/timestamp.js';
import type { Cluster } from '../../../../../operator/runtime/ports/cluster.js';
import { provided } from '../../../../../operator/runtime/ports/external-port.js';
import type { MemoryCluster } from '../../../../../operator/testing/index.js';
import type { Loose } from '../../../../given.js';
import { bound } from '../../../runtime/given/house.js';
import { GivenOperator } from '../../../runtime/given/operator.js';
import { gatewayClass } from '../given-gateway-class.js';
import { type Behaviour, Counted } from './given-counted.js';
import { foreignService, takenUp } from './given-objects.js';

/** All that an Algorithm has to do with. */
const controllers = [algorithm, trial, level, gateway];

/** Milliseconds in which all that is not the operator does its part once. */
const tick = 1_000;

/** One Algorithm `reco` in a cluster in memory, whose kubelets, proxies and clients the test plays, second by second. */
export class World {
  readonly memory: MemoryCluster;
  #operator: GivenOperator;
  /** By image. */
  behaviours: Readonly<Record<string, Behaviour>> = {};
  /** Requests a second. */
  rate = 40;
  /** Times that somebody asked for the numbers. */
  asked = 0;
  /** Nobody tells the numbers. */
  isDeaf = false;
  /** What keeps pods that are not ready. */
  hindrance = '';
  /** Nobody tells what keeps them. */
  isMute = false;
  hasGateway = true;
  hasGatewayApi = true;
  /** Proxies take no other weights up. */
  isStuck = false;
  /** Proxies take a route up when they first meet it, and have not done so long ago. */
  isNew = false;
  /** Somebody else's Service has its name. */
  isTaken = false;
  /** With an autoscaler: the Pods that all requests together keep busy. */
  load = 0;
  /** Pods of a Deployment that become ready in a second. */
  startedPerSecond = Number.POSITIVE_INFINITY;
  #takenAt: string | undefined;
  readonly #counted = new Counted();
  /** What the proxies split by. */
  #weight = 0;
  #templates = new Map<string, string>();
  /** Shares that the version on trial had at the proxies, each once in a row. */
  readonly weights: number[] = [];

  constructor() {
    this.#operator = this.#newOperator();
    this.memory = this.#operator.memory;
  }

  static async with(spec: AlgorithmSpecInput, changes: Partial<World> = {}): Promise<World> {
    const world = Object.assign(new World(), changes);
    if (world.hasGateway) await world.memory.apply(gatewayClassKind, gatewayClass, { manager: 'somebody' });
    if (world.isTaken) await world.memory.create(Service, foreignService, { manager: 'somebody' });
    await world.#operator.start();
    await world.apply(spec);
    return world;
  }

  get operator(): GivenOperator {
    return this.#operator;
  }

  /** Somebody applies a spec. */
  async apply(
    spec: AlgorithmSpecInput,
    named: { readonly name?: string; readonly namespace?: string; readonly annotations?: object } = {},
  ): Promise<void> {
    const metadata = { name: 'reco', namespace: 'team', ...named };
    const whole = withDefaults(algorithmSpec, spec);
    await this.#operator.given(algorithmKind, {
      apiVersion: 'ai.alien6.io/v1',
      kind: 'Algorithm',
      metadata,
      spec: whole,
    } as Manifest);
  }

  /** Somebody deletes an Algorithm of the namespace. */
  async remove(name: string): Promise<void> {
    const { uid } = this.memory.peek(algorithmKind).get(`team/${name}`)?.metadata ?? {};
    await this.memory.remove(algorithmKind, { name, namespace: 'team' }, { uid: uid ?? '' });
  }

  /** Lets time pass. @param until is asked every second. @returns the seconds that passed */
  async pass(seconds: number, until: () => boolean | Promise<boolean> = () => false): Promise<number> {
    for (let passed = 1; passed <= seconds; passed++) {
      await this.#kubelets();
      await this.#gateway();
      this.#clients();
      await this.#operator.clock.advance(tick);
      if (await until()) return passed;
    }
    return seconds;
  }

  /** The operator dies, and another process takes over. */
  async kill(): Promise<void> {
    const old = this.#operator;
    this.#operator = this.#newOperator(this.memory);
    this.#operator.clock.freeze(old.clock.monotonic());
    await old.stop();
    await this.#operator.start();
  }

  async close(): Promise<void> {
    await this.#operator.stop();
  }

  get resource(): AlgorithmResource & LiveObject {
    return this.memory.peek(algorithmKind).get('team/reco') as AlgorithmResource & LiveObject;
  }

  get status(): Loose {
    return (this.resource.status ?? {}) as unknown as Loose;
  }

  condition(type: string): Loose | undefined {
    return this.status['conditions']?.find((one: { type: string }) => one.type === type);
  }

  deployment(side: 'stable' | 'trial'): (LiveDeployment & Loose) | undefined {
    return this.memory.peek(Deployment).get(side === 'stable' ? 'team/reco' : 'team/reco-trial') as never;
  }

  get route(): HTTPRouteResource | undefined {
    return this.memory.peek(httpRouteKind).get('team/reco') as unknown as HTTPRouteResource | undefined;
  }

  get frontSelector(): Readonly<Record<string, string>> {
    return (this.memory.peek(Service).get('team/reco') as unknown as Loose)?.['spec'].selector;
  }

  /** Requests that a side got, as its proxies counted. */
  requestsOf(service: string): number {
    return this.#counted.requestsOf(service);
  }

  /** What carries our label, but for what the garbage collector takes with a Gateway that is gone. */
  get names(): string[] {
    const kinds = distinct(controllers.flatMap(({ owns }) => owns));
    const gateways = new Set([...this.memory.peek(gatewayKind).values()].map(({ metadata }) => metadata.uid));
    const isGarbage = (object: Manifest) => {
      const owner = controllerOf(object);
      return owner?.kind === 'Gateway' && !gateways.has(owner.uid);
    };
    const there = (kind: (typeof kinds)[number]) =>
      [...this.memory.peek(kind)].filter(([, object]) => !isGarbage(object)).map(([key]) => `${kind.kind} ${key}`);
    return kinds.flatMap(there).toSorted();
  }

  get events(): string[] {
    const events = [...this.memory.peek(Event).values()] as unknown as Loose[];
    return events.map((event) => `${event['reason']}: ${event['note']}`);
  }

  imageOf(side: 'stable' | 'trial'): string | undefined {
    const spec = this.deployment(side)?.spec as Loose | undefined;
    return spec?.['template'].spec.containers[0].image;
  }

  async #kubelets(): Promise<void> {
    for (const [key, object] of this.memory.peek(Deployment)) await this.#scale(key, object);
    for (const [key, object] of this.memory.peek(Deployment)) {
      const live = object as unknown as Loose;
      const template = JSON.stringify(live['spec'].template);
      const image = live['spec'].template.spec.containers[0].image as string;
      const replicas = live['spec'].replicas ?? 1;
      const { crashes: never = false, failsInPlace = false } = this.behaviours[image] ?? {};
      const fails = failsInPlace && key === 'team/reco';
      const crashes = never || fails;
      if (!crashes) this.#templates.set(key, template);
      const old = this.#templates.has(key) && this.#templates.get(key) !== template ? replicas : 0;
      const ready = Math.min(replicas, (live['status']?.availableReplicas ?? 0) + this.startedPerSecond);
      const status = {
        observedGeneration: live.metadata.generation,
        replicas: old + (old > 0 ? 1 : replicas),
        updatedReplicas: old > 0 ? 1 : replicas,
        availableReplicas: crashes ? old : ready,
        readyReplicas: crashes ? old : ready,
        ...(fails && { conditions: [deadlineExceeded] }),
      };
      await this.#write(Deployment, object, { status });
    }
  }

  async #gateway(): Promise<void> {
    const route = this.route as unknown as Loose | undefined;
    if (!route) return;
    const backends = route['spec'].rules.at(-1).backendRefs as { name: string; weight?: number }[];
    const weight = backends.find(({ name }) => name === 'reco-trial')?.weight ?? 0;
    if (!this.isStuck) this.#weight = weight;
    if (this.weights.at(-1) !== this.#weight) this.weights.push(this.#weight);
    this.#takenAt ??= this.isNew ? timestampOf(new Date(this.#operator.clock.now())) : '2029-01-01T00:00:00Z';
    await this.#write(httpRouteKind, route, { status: takenUp(route, this.#takenAt) });
  }

  async #write(
    kind: typeof Deployment | typeof httpRouteKind,
    { apiVersion, kind: name, metadata, status }: LiveObject & { readonly status?: unknown },
    content: { readonly status: object },
  ): Promise<void> {
    // As a kubelet does: what is told already is not told again.
    if (contains(status, content.status)) return;
    const named = { name: metadata.name, namespace: metadata.namespace ?? '' };
    await this.memory.apply(kind, { apiVersion, kind: name, metadata: named, ...content } as Manifest, {
      manager: 'somebody',
      subresource: 'status',
    });
  }

  /** Requests by weight: each counts at the backend of the side that it reaches. */
  #clients(): void {
    const toTrial = Math.round((this.rate * this.#weight) / 100);
    this.#counted.ask('reco-trial', toTrial, this.#behaviourOf('trial'));
    this.#counted.ask('reco-stable', this.rate - toTrial, this.#behaviourOf('stable'));
  }

  #behaviourOf(side: 'stable' | 'trial'): Behaviour {
    return this.behaviours[this.imageOf(side) ?? ''] ?? {};
  }

  #newOperator(memory?: MemoryCluster): GivenOperator {
    const answer = async ({ sides }: RequestMetricsQuestion): Promise<RequestMetricsAnswer> => {
      this.asked++;
      if (this.isDeaf) throw new Error('nobody answers');
      const at = this.#operator.clock.now();
      const reading = (services: readonly string[]): Reading => ({
        at,
        sources: { proxy: this.#counted.countersOf(services) },
      });
      const entries = Object.entries(sides).map(([side, { services }]) => [side, reading(services)] as const);
      return { sides: Object.fromEntries(entries), proxies: ['proxy'], silent: [] };
    };
    const faults = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      watch: (kind, query) => {
        const isMissing = kind.group === 'gateway.networking.k8s.io' && !this.hasGatewayApi;
        if (isMissing) throw new ApiError('it is not served', { code: 404, reason: 'NotFound' });
        return cluster.watch(kind, query);
      },
    });
    const hindrance = async () => {
      if (this.isMute) throw new Error('nobody answers');
      return { why: this.hindrance };
    };
    const ports = [provided(requestMetrics, answer), provided(startingPods, hindrance)];
    return new GivenOperator({ controllers, ports, faults }, memory);
  }

  /** Does what the autoscaler does: it follows the requests of its side, within its limits. */
  async #scale(key: string, object: LiveObject): Promise<void> {
    const autoscaler = this.memory.peek(HorizontalPodAutoscaler).get(key) as unknown as Loose | undefined;
    const { minReplicas, maxReplicas } = autoscaler?.['spec'] ?? {};
    const share = key === 'team/reco' ? 100 - this.#weight : this.#weight;
    const replicas = Math.min(maxReplicas, Math.max(minReplicas, Math.ceil((this.load * share) / 100)));
    if (minReplicas === undefined || (object as Loose)['spec'].replicas === replicas) return;
    const patch = [{ op: 'add', path: '/spec/replicas', value: replicas }] as const;
    await this.memory.patch(Deployment, object.metadata, patch, { manager: 'somebody' });
  }
}

const deadlineExceeded = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' };

/** A lifecycle whose trials are short. */
export const lifecycle = {
  canaryWeight: 20,
  trial: { interval: '10s', minRequests: 100, deadline: '20m', bake: '2m' },
} as const;
