import { aborted } from './aborted.js';
import type { Clock } from './clock.js';
import type { Cluster } from './cluster.js';
import type { Controller } from './controller.js';
import { controllerLabel } from './inventory.js';
import { concernedWith, keptWhole } from './keeping.js';
import { distinct, includes, type ObjectKind } from './kinds.js';
import type { LiveObject } from './object.js';
import { kindsRead } from './reads.js';
import type { Store } from './store.js';
import type { Stores } from './stores.js';
import type { Telemetry } from './telemetry.js';
import { Watch, type WatchOptions } from './watch.js';

export interface WatchesOptions {
  readonly controllers: readonly Controller[];
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** Empty for all. */
  readonly namespaces: readonly string[];
}

/** Milliseconds after which what owners have is watched though it is not known what owners there are. */
const longest = 5_000;

/**
 * The watches that keep all stores in step. A kind has up to two: one of the resources, or of what carries our label,
 * and one of everything, where somebody reads it.
 */
export class Watches {
  readonly #stores: Stores;
  readonly #options: WatchesOptions;
  /** Of resources and of what they own. */
  readonly #own: readonly Watch[];
  readonly #read: readonly Watch[];

  constructor(stores: Stores, options: WatchesOptions) {
    this.#stores = stores;
    this.#options = options;
    const resources = distinct(options.controllers.map(({ kind }) => kind));
    const owned = distinct(options.controllers.flatMap(({ owns, sees }) => [...owns, ...sees])).filter(
      (kind) => !includes(resources, kind),
    );
    this.#own = [
      ...resources.flatMap((kind) => this.#watch(stores.of(kind))),
      ...owned.flatMap((kind) => {
        const keeps = keptWhole(kind, options.controllers, stores);
        return this.#watch(stores.of(kind), { labelSelector: controllerLabel, keeps });
      }),
    ];
    this.#read = kindsRead(options.controllers).flatMap((kind) => {
      const keeps = (object: LiveObject) => stores.isReferredTo(kind, object);
      return this.#watch(stores.read(kind), { keeps, bearsRefusal: kind.optional === true });
    });
  }

  get all(): readonly Watch[] {
    return [...this.#own, ...this.#read];
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    // What refers comes first: it decides of what is read the whole is kept.
    const readers = this.#options.controllers.filter((controller) => kindsRead([controller]).length > 0);
    const referring = this.#own.filter((watch) => readers.some(({ kind }) => watch.store === this.#stores.of(kind)));
    const ended = aborted(signal);
    const known = Promise.race([Promise.all(referring.map((watch) => watch.whenKnown)), ended]);
    await Promise.all([
      ...this.#own.map((watch) => this.#ownersKnown(watch, ended).then(() => watch.run(signal))),
      ...this.#read.map((watch) => known.then(() => watch.run(signal))),
    ]);
  }

  /** Resolves when a controller sees all of its kinds. */
  async synced(controller: Controller): Promise<void> {
    const { kind, owns, sees } = controller;
    const store = (one: ObjectKind) => this.#stores.of(one);
    const read = kindsRead([controller]);
    const readStore = (one: ObjectKind) => this.#stores.read(one);
    const isOptional = (one: ObjectKind) => one.optional === true;
    const own = [kind, ...owns, ...sees];
    const enough = new Set([...own.filter(isOptional).map(store), ...read.filter(isOptional).map(readStore)]);
    const needed = new Set([...own.map(store), ...read.map(readStore)]);
    const watches = this.all.filter((watch) => needed.has(watch.store));
    await Promise.all(watches.map((watch) => (enough.has(watch.store) ? watch.whenKnown : watch.whenSynced)));
  }

  /** Of what has owners that there are the whole is kept, so these come first; one that cannot be seen stops no other. */
  async #ownersKnown({ kind }: Watch, ended: Promise<void>): Promise<void> {
    const { controllers, clock } = this.#options;
    const resources = controllers.map((controller) => controller.kind);
    if (includes(resources, kind)) return;
    const owners = new Set(concernedWith(kind, controllers).map((one) => this.#stores.of(one.kind)));
    const watches = this.#own.filter(({ store }) => owners.has(store));
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = clock.after(longest, resolve);
    });
    await Promise.race([Promise.all(watches.map((watch) => watch.whenKnown)), late, ended]);
    cancel();
  }

  #watch(store: Store, options: Partial<WatchOptions> = {}): Watch[] {
    const { cluster, clock, telemetry } = this.#options;
    const isEverywhere = this.#options.namespaces.length === 0 || !store.kind.namespaced;
    const namespaces = isEverywhere ? [''] : this.#options.namespaces;
    return namespaces.map((namespace) => new Watch(store, { cluster, clock, telemetry, ...options, namespace }));
  }
}
