import { claimOf } from '../runtime/claim.js';
import { systemClock } from '../runtime/clock.js';
import type { Cluster } from '../runtime/cluster.js';
import type { Controller, CustomResource } from '../runtime/controller.js';
import { Recorder } from '../runtime/events.js';
import { Gathering } from '../runtime/gathering.js';
import { controllerLabel } from '../runtime/inventory.js';
import { distinct, Event, type ObjectKind } from '../runtime/kinds.js';
import { LastAccepted } from '../runtime/last-accepted.js';
import { keyOf, type LiveObject, type Manifest, ownersOf } from '../runtime/object.js';
import { pass } from '../runtime/pass.js';
import { kindsRead } from '../runtime/reads.js';
import { Restraint } from '../runtime/restraint.js';
import { Settled } from '../runtime/settled.js';
import type { Store } from '../runtime/store.js';
import { Stores } from '../runtime/stores.js';
import { silent } from '../runtime/telemetry.js';
import { Turnstile } from '../runtime/turnstile.js';
import type { Workplace } from '../runtime/workplace.js';
import { type Answering, portsOf } from './answers.js';
import type { MemoryCluster } from './memory-cluster.js';

/** Of what an inventory lists a pass looks for all: what it would leave to the next one is no failure of the controller. */
const readsInVain = Number.POSITIVE_INFINITY;

/** Passes after which what still writes never comes to rest. */
const patience = 20;

interface TrialOptions {
  /** What the controller writes to. @default the memory itself */
  readonly cluster?: Cluster;
  /** What is answered to what it gathers. @default [] */
  readonly answers?: readonly Answering[];
}

/**
 * One process that runs a controller by hand, pass by pass, on a memory cluster. Its caches are read anew before each
 * pass; what it keeps beside them is lost with it.
 */
export class Trial {
  readonly #memory = {
    settled: new Settled(),
    restraint: new Restraint(systemClock),
    lastAccepted: new LastAccepted(),
  };

  readonly #gathering: Gathering;
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
    this.#gathering = new Gathering({
      ...{ controller, ports, telemetry: silent, turnstile: new Turnstile(1) },
      // Nothing is asked twice, so that it comes to rest; an hour from pass to pass, so that another question may come.
      clock: { ...systemClock, after: () => () => {}, monotonic: () => this.#passes * 3_600_000 },
    });
    this.#gathering.listen(() => {
      this.#isWoken = true;
    });
    this.#gathering.open();
  }

  /** One pass over a resource. @returns how many writes it took, events apart */
  async pass(resource: Manifest): Promise<number> {
    const { controller, memory } = this;
    const cluster = this.#cluster;
    memory.forgetWrites();
    this.#isWoken = false;
    this.#passes++;
    const recorder = new Recorder({ cluster, clock: systemClock, telemetry: silent, instance: 'trial' });
    const shared = { controller, cluster, recorder, telemetry: silent, clock: systemClock };
    const gathering = this.#gathering;
    const place: Workplace = { ...shared, ...this.#memory, stores: await this.#caches(), gathering, readsInVain };
    await pass(keyOf(resource.metadata), place, new AbortController().signal);
    if (gathering.size > 0) await new Promise(setImmediate); // for the answers
    return memory.writes.filter(({ kind }) => kind !== Event.kind).length;
  }

  /** Passes until one writes nothing, and has seen all that is answered. @throws {Error} when that never comes */
  async rest(resource: Manifest): Promise<void> {
    for (let n = 0; n < patience; n++) if ((await this.pass(resource)) === 0 && !this.#isWoken) return;
    throw new Error(
      `${this.controller.name} still writes after ${patience} passes and never comes to rest${this.#last()}: ` +
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
        ownersOf(object).some((owner) => owner.uid === uid) || claimOf(object)?.uid === uid;
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
