import { aborted } from '../concurrency/abort-signals.js';
import type { Controller } from '../controller/controller.js';
import { kindsRead } from '../controller/reads.js';
import { distinct, includes } from '../kubernetes/kinds.js';
import type { LiveObject } from '../kubernetes/object.js';
import { controllerLabel } from '../kubernetes/well-known-names.js';
import type { Clock } from '../ports/clock.js';
import type { Cluster } from '../ports/cluster.js';
import type { Telemetry } from '../ports/telemetry.js';
import { concernedWith, keptWhole } from './retention.js';
import type { Store } from './store.js';
import type { Stores } from './stores.js';
import { Watch, type WatchOptions } from './watch.js';

export interface WatchesOptions {
  readonly controllers: readonly Controller[];
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** Empty for all. */
  readonly namespaces: readonly string[];
}

/**
 * Milliseconds after which the watches of owned and referenced objects start, even if the owners and readers are not
 * known yet.
 */
const longest = 5_000;

/**
 * The watches that keep all stores in sync. A kind has up to two: one of its resources or of the objects with our
 * label, and one of all objects, if a controller reads them.
 */
export class Watches {
  readonly #stores: Stores;
  readonly #options: WatchesOptions;
  /** The watches of resources and of owned objects. */
  readonly #own: readonly Watch[];
  readonly #read: readonly Watch[];

  constructor(stores: Stores, options: WatchesOptions) {
    this.#stores = stores;
    this.#options = options;
    const resources = distinct(options.controllers.map(({ kind }) => kind));
    const owned = distinct(
      options.controllers.flatMap(({ owns, watchesSiblings }) => [...owns, ...watchesSiblings]),
    ).filter((kind) => !includes(resources, kind));
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
    // Resources come first, because their references decide which objects are kept whole.
    const readers = this.#options.controllers.filter((controller) => kindsRead([controller]).length > 0);
    const referring = this.#own.filter((watch) => readers.some(({ kind }) => watch.store === this.#stores.of(kind)));
    const ended = aborted(signal);
    const known = this.#known(referring, ended);
    await Promise.all([
      ...this.#own.map((watch) => this.#known(this.#ownersOf(watch), ended).then(() => watch.run(signal))),
      ...this.#read.map((watch) => known.then(() => watch.run(signal))),
    ]);
  }

  /** Objects of existing owners are kept whole, so the watches of the owners come first. */
  #ownersOf({ kind, namespace }: Watch): readonly Watch[] {
    const { controllers } = this.#options;
    const resources = controllers.map((controller) => controller.kind);
    if (includes(resources, kind)) return [];
    const owners = new Set(concernedWith(kind, controllers).map((one) => this.#stores.of(one.kind)));
    const isNear = (watch: Watch) => namespace === '' || watch.namespace === '' || watch.namespace === namespace;
    return this.#own.filter((watch) => owners.has(watch.store) && isNear(watch));
  }

  /** Waits until the content of these watches is known. A watch that is refused does not stop the others. */
  async #known(watches: readonly Watch[], ended: Promise<void>): Promise<void> {
    if (watches.length === 0) return;
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(longest, resolve);
    });
    await Promise.race([Promise.all(watches.map((watch) => watch.whenKnown)), late, ended]);
    cancel();
  }

  #watch(store: Store, options: Partial<WatchOptions> = {}): Watch[] {
    const { cluster, clock, telemetry } = this.#options;
    const isEverywhere = this.#options.namespaces.length === 0 || !store.kind.namespaced;
    const namespaces = isEverywhere ? [''] : this.#options.namespaces;
    const watches = namespaces.map((namespace) => {
      return new Watch(store, { cluster, clock, telemetry, ...options, namespace });
    });
    for (const watch of watches) this.#stores.watched.add(watch);
    return watches;
  }
}
