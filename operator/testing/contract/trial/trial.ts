import type { Store } from '../../../runtime/cache/store.js';
import { Stores } from '../../../runtime/cache/stores.js';
import { Semaphore } from '../../../runtime/concurrency/semaphore.js';
import type { ControllerContext } from '../../../runtime/context/reconcile-context.js';
import type { Controller } from '../../../runtime/controller/controller.js';
import type { CustomResource } from '../../../runtime/controller/custom-resource.js';
import { kindsRead } from '../../../runtime/controller/reads.js';
import { Callers, CallPorts } from '../../../runtime/external/callers.js';
import { Pollers } from '../../../runtime/external/pollers.js';
import { secretAccess } from '../../../runtime/external/secret-access.js';
import { distinct, Event, type ObjectKind } from '../../../runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject, type Manifest, ownersOf } from '../../../runtime/kubernetes/object.js';
import { controllerLabel } from '../../../runtime/kubernetes/well-known-names.js';
import { AppliedState } from '../../../runtime/memory/applied-state.js';
import { LastAcceptedSpecs } from '../../../runtime/memory/last-accepted-specs.js';
import { ReportedConditions } from '../../../runtime/memory/reported-conditions.js';
import { WriteGuard } from '../../../runtime/memory/write-guard.js';
import { ownerAnnotationOf } from '../../../runtime/ownership/ownership-labels.js';
import { type Clock, systemClock } from '../../../runtime/ports/clock.js';
import type { Cluster } from '../../../runtime/ports/cluster.js';
import { EventRecorder } from '../../../runtime/ports/event-recorder.js';
import type { Provided } from '../../../runtime/ports/external-port.js';
import { silent } from '../../../runtime/ports/telemetry.js';
import { reconcile } from '../../../runtime/reconcile/reconcile.js';
import type { MemoryCluster } from '../../memory/memory-cluster.js';
import { type FakeSource, portsOf } from './answers.js';
import { type MemoryPort, memoryPorts, type PortModel } from './memory-port.js';

/** One reconcile checks the whole inventory, so that a controller does not need another one for the rest. */
const maxMisses = Number.POSITIVE_INFINITY;

/** Number of reconciles after which a controller that still writes is considered unstable. */
const patience = 20;

interface TrialOptions {
  /** The cluster that the controller writes to. @default the memory cluster */
  readonly cluster?: Cluster;
  /** Answers to its polls. @default [] */
  readonly answers?: readonly FakeSource[];
  /** The systems that it calls. @default [] */
  readonly ports?: readonly PortModel[];
  /** The same, if they are shared with another process. @default - new ones */
  readonly outside?: readonly MemoryPort[];
}

/** Milliseconds that pass between two reconciles: a new question is allowed, and each delay of a call ends. */
const pause = 3_600_000;

/**
 * One process that runs single reconciles of a controller on a memory cluster. It fills its caches before each
 * reconcile. Other state is lost with the process.
 */
export class Trial {
  readonly #memory = {
    appliedState: new AppliedState(),
    writeGuard: new WriteGuard(systemClock),
    lastAcceptedSpecs: new LastAcceptedSpecs(),
    reportedConditions: new ReportedConditions(),
  };

  /** The systems that the controller calls. */
  readonly outside: readonly MemoryPort[];
  readonly #pollers: Pollers;
  readonly #callers: Callers | undefined;
  /** What the callers do after a delay. */
  readonly #delayed = new Set<() => void>();
  readonly #cluster: Cluster;
  /** Whether there is an answer that no reconcile has used yet. */
  #isWoken = false;
  #passes = 0;

  constructor(
    readonly controller: Controller,
    readonly memory: MemoryCluster,
    { cluster = memory, answers = [], ports: models = [], outside = memoryPorts(models) }: TrialOptions = {},
  ) {
    this.#cluster = cluster;
    this.outside = outside;
    const ports = portsOf(controller, answers, () => systemClock.now(), outside);
    this.#pollers = new Pollers({
      ...{ controller, ports, telemetry: silent, turnstile: new Semaphore(1), secrets: secretAccess(memory) },
      // No question repeats by time, so that the controller can settle.
      clock: { ...systemClock, after: () => () => {}, monotonic: () => this.#passes * pause },
    });
    const wake = () => {
      this.#isWoken = true;
    };
    this.#pollers.listen(wake);
    this.#pollers.open();
    this.#callers = controller.calls.length > 0 ? this.#caller(ports) : undefined;
    this.#callers?.listen(wake);
    this.#callers?.open();
  }

  #caller(ports: readonly Provided[]): Callers {
    const after: Clock['after'] = (_, callback) => {
      this.#delayed.add(callback);
      return () => this.#delayed.delete(callback);
    };
    const clock = { ...systemClock, after, monotonic: () => this.#passes * pause };
    const term = () => ({ signal: new AbortController().signal, holds: () => true });
    const { controller } = this;
    const known = { controller, ports: new CallPorts(ports, clock), pollers: this.#pollers };
    return new Callers({ ...known, clock, telemetry: silent, secrets: secretAccess(this.memory), term });
  }

  /** What is delayed happens, because an hour has passed. */
  async #pass(): Promise<void> {
    const due = [...this.#delayed];
    this.#delayed.clear();
    for (const callback of due) callback();
    if (due.length > 0) await new Promise(setImmediate);
  }

  /** Reconciles a resource once. @returns the number of writes without events */
  async pass(resource: Manifest): Promise<number> {
    const { controller, memory } = this;
    const cluster = this.#cluster;
    memory.forgetWrites();
    this.#passes++;
    await this.#pass();
    this.#isWoken = false;
    const recorder = new EventRecorder({ cluster, clock: systemClock, telemetry: silent, instance: 'trial' });
    const shared = { controller, cluster, recorder, telemetry: silent, clock: systemClock };
    const pollers = this.#pollers;
    const controllerContext: ControllerContext = {
      ...shared,
      ...this.#memory,
      stores: await this.#caches(),
      pollers,
      callers: this.#callers,
      maxMisses,
    };
    await reconcile(keyOf(resource.metadata), controllerContext, new AbortController().signal);
    if (pollers.size > 0) await new Promise(setImmediate); // for the answers
    return memory.writes.filter(({ kind }) => kind !== Event.kind).length;
  }

  /** Reconciles until one writes nothing and has used all answers. @throws {Error} if the controller never settles */
  async rest(resource: Manifest): Promise<void> {
    for (let n = 0; n < patience; n++)
      if ((await this.pass(resource)) === 0 && !this.#isWoken && this.#delayed.size === 0) return;
    throw new Error(
      `controller ${this.controller.name} still writes after ${patience} reconciles${this.#last()}; ` +
        'do not use random values or the current time in desire and assess',
    );
  }

  /** The first writes of the last reconcile, for a message. */
  #last(): string {
    const writes = this.memory.writes.filter(({ kind }) => kind !== Event.kind);
    const said = writes.map(({ verb, kind, key }) => `${verb} ${kind} ${key}`).slice(0, 3);
    return said.length > 0 ? ` (last: ${said.join(', ')})` : '';
  }

  /** The live resource; undefined if it is deleted. */
  async resource({ metadata }: Manifest): Promise<CustomResource | undefined> {
    return (await this.memory.read(this.controller.kind, metadata)) as CustomResource | undefined;
  }

  /** The objects that a resource owns now. */
  async owned(uid: string): Promise<{ kind: ObjectKind; object: LiveObject }[]> {
    const kinds = this.controller.owns.map(async (kind) => {
      const { items } = await this.memory.list(kind, {});
      const isOwned = (object: LiveObject) =>
        ownersOf(object).some((owner) => owner.uid === uid) || ownerAnnotationOf(object)?.uid === uid;
      return items.filter(isOwned).map((object) => ({ kind, object }));
    });
    return (await Promise.all(kinds)).flat();
  }

  async #caches(): Promise<Stores> {
    const stores = new Stores();
    const { kind, owns } = this.controller;
    await Promise.all([
      this.#fill(stores.of(kind)),
      ...distinct(owns.filter((one) => one !== kind)).map((one) => this.#fill(stores.of(one), controllerLabel)),
      ...kindsRead([this.controller]).map((one) => this.#fill(stores.read(one))),
    ]);
    return stores;
  }

  async #fill(store: Store, labelSelector?: string): Promise<void> {
    const { items, resourceVersion } = await this.memory.list(store.kind, { labelSelector });
    store.replace(items, resourceVersion, '');
  }
}
