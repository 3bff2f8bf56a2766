import type { Store } from '../../runtime/cache/store.js';
import { Stores } from '../../runtime/cache/stores.js';
import { Semaphore } from '../../runtime/concurrency/semaphore.js';
import type { ControllerContext } from '../../runtime/context/reconcile-context.js';
import type { Controller } from '../../runtime/controller/controller.js';
import type { CustomResource } from '../../runtime/controller/custom-resource.js';
import { kindsRead } from '../../runtime/controller/reads.js';
import { distinct, Event, type ObjectKind } from '../../runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject, type Manifest, ownersOf } from '../../runtime/kubernetes/object.js';
import { controllerLabel } from '../../runtime/kubernetes/well-known-names.js';
import { AppliedState } from '../../runtime/memory/applied-state.js';
import { LastAcceptedSpecs } from '../../runtime/memory/last-accepted-specs.js';
import { Pollers } from '../../runtime/memory/pollers.js';
import { WriteGuard } from '../../runtime/memory/write-guard.js';
import { ownerAnnotationOf } from '../../runtime/ownership/owner-annotation.js';
import { systemClock } from '../../runtime/ports/clock.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { EventRecorder } from '../../runtime/ports/event-recorder.js';
import { silent } from '../../runtime/ports/telemetry.js';
import { reconcile } from '../../runtime/reconcile/reconcile.js';
import type { MemoryCluster } from '../memory/memory-cluster.js';
import { type FakeSource, portsOf } from './answers.js';

/** Of what an inventory lists a pass looks for all: what it would leave to the next one is no failure of the controller. */
const maxMisses = Number.POSITIVE_INFINITY;

/** Passes after which what still writes never comes to rest. */
const patience = 20;

interface TrialOptions {
  /** What the controller writes to. @default the memory itself */
  readonly cluster?: Cluster;
  /** What is answered to what it gathers. @default [] */
  readonly answers?: readonly FakeSource[];
}

/**
 * One process that runs a controller by hand, pass by pass, on a memory cluster. Its caches are read anew before each
 * pass; what it keeps beside them is lost with it.
 */
export class Trial {
  readonly #memory = {
    appliedState: new AppliedState(),
    writeGuard: new WriteGuard(systemClock),
    lastAcceptedSpecs: new LastAcceptedSpecs(),
  };

  readonly #pollers: Pollers;
  readonly #cluster: Cluster;
  /** Whether something is known that no pass has seen. */
  #isWoken = false;
  #passes = 0;

  constructor(
    readonly controller: Controller,
    readonly memory: MemoryCluster,
    { cluster = memory, answers = [] }: TrialOptions = {},
  ) {
    this.#cluster = cluster;
    const ports = portsOf(controller, answers, () => systemClock.now());
    this.#pollers = new Pollers({
      ...{ controller, ports, telemetry: silent, turnstile: new Semaphore(1) },
      // Nothing is asked twice, so that it comes to rest; an hour from pass to pass, so that another question may come.
      clock: { ...systemClock, after: () => () => {}, monotonic: () => this.#passes * 3_600_000 },
    });
    this.#pollers.listen(() => {
      this.#isWoken = true;
    });
    this.#pollers.open();
  }

  /** One pass over a resource. @returns how many writes it took, events apart */
  async pass(resource: Manifest): Promise<number> {
    const { controller, memory } = this;
    const cluster = this.#cluster;
    memory.forgetWrites();
    this.#isWoken = false;
    this.#passes++;
    const recorder = new EventRecorder({ cluster, clock: systemClock, telemetry: silent, instance: 'trial' });
    const shared = { controller, cluster, recorder, telemetry: silent, clock: systemClock };
    const pollers = this.#pollers;
    const controllerContext: ControllerContext = {
      ...shared,
      ...this.#memory,
      stores: await this.#caches(),
      pollers,
      maxMisses,
    };
    await reconcile(keyOf(resource.metadata), controllerContext, new AbortController().signal);
    if (pollers.size > 0) await new Promise(setImmediate); // for the answers
    return memory.writes.filter(({ kind }) => kind !== Event.kind).length;
  }

  /** Passes until one writes nothing, and has seen all that is answered. @throws {Error} when that never comes */
  async rest(resource: Manifest): Promise<void> {
    for (let n = 0; n < patience; n++) if ((await this.pass(resource)) === 0 && !this.#isWoken) return;
    throw new Error(
      `${this.controller.name} still writes after ${patience} reconciles and never comes to rest${this.#last()}: ` +
        'draw no chance and tell no time in desire and assess',
    );
  }

  /** What the last pass wrote, as far as a person wants to know. */
  #last(): string {
    const writes = this.memory.writes.filter(({ kind }) => kind !== Event.kind);
    const said = writes.map(({ verb, kind, key }) => `${verb} ${kind} ${key}`).slice(0, 3);
    return said.length > 0 ? ` (last: ${said.join(', ')})` : '';
  }

  /** The resource as it is now; undefined when it is gone. */
  async resource({ metadata }: Manifest): Promise<CustomResource | undefined> {
    return (await this.memory.read(this.controller.kind, metadata)) as CustomResource | undefined;
  }

  /** What a resource owns now. */
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
