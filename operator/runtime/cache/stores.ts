import type { Controller } from '../controller/controller.js';
import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';
import { controllerLabel } from '../kubernetes/well-known-names.js';
import { type InventoryEntry, inventoryEntriesOf } from '../ownership/inventory.js';
import { isClaimedBy } from '../ownership/ownership-labels.js';
import { ReferenceIndex } from './reference-index.js';
import { Store } from './store.js';
import { UnconfirmedWrites } from './unconfirmed-writes.js';
import { WatchProgress } from './watch-progress.js';

/** What the process knows of the cluster, shared by all of its controllers. */
export class Stores {
  readonly #stores = new Map<string, Store>();
  readonly #read = new Map<string, Store>();
  readonly #readings = new Map<string, ReferenceIndex>();
  /** The kinds that have controllers. */
  readonly #resources = new Set<string>();
  readonly unconfirmedWrites = new UnconfirmedWrites();
  /** How far the watches have synced. */
  readonly watched = new WatchProgress();

  /** Registers a controller: all of its resources are watched, whatever their labels. */
  enlist({ kind }: Pick<Controller, 'kind'>): void {
    this.#resources.add(groupKindOf(kind));
  }

  /** True for a kind with a controller: all of its objects are watched, not only those with our label. */
  watchesAll(kind: ObjectKind): boolean {
    return this.#resources.has(groupKindOf(kind));
  }

  /** The store of a kind's resources, or of its objects with our label. One store for each kind. */
  of(kind: ObjectKind): Store {
    return storeIn(this.#stores, kind);
  }

  /** True if the caches have a resource, and not another one of its name. */
  holds(kind: ObjectKind, { metadata }: LiveObject): boolean {
    return this.of(kind).get(keyOf(metadata))?.metadata.uid === metadata.uid;
  }

  /**
   * The store of all objects of a kind that a controller reads. It is separate, because owned objects are watched by
   * label, and because a store hides the writes of this process from its listeners. A reader of another controller's
   * objects must see those writes.
   */
  read(kind: ObjectKind): Store {
    return storeIn(this.#read, kind);
  }

  /** True while the objects of a kind are known, whether the kind is owned or read. */
  isServed(kind: ObjectKind): boolean {
    const name = groupKindOf(kind);
    return [this.#stores.get(name), this.#read.get(name)].some((store) => store?.isServed);
  }

  /** All stores. A kind that is both owned and read has two. */
  get all(): readonly Store[] {
    return [...this.#stores.values(), ...this.#read.values()];
  }

  /** The index of what the resources of a controller refer to. */
  reading({ name, reads }: Pick<Controller, 'name' | 'reads'>): ReferenceIndex {
    const reading = this.#readings.get(name) ?? new ReferenceIndex(reads);
    this.#readings.set(name, reading);
    return reading;
  }

  /** True if a resource refers to the object, or an index has it. The metadata is enough for all other objects. */
  isReferredTo(kind: ObjectKind, object: LiveObject): boolean {
    return [...this.#readings.values()].some(
      (reading) => reading.readersOf(kind, object).size > 0 || reading.isIndexed(kind, object),
    );
  }

  /**
   * The objects of a controller's kinds that a resource owns: those that it controls, and those in its inventory that
   * name it as their owner. Objects that carry the name of another controller of the same kind belong to that
   * controller.
   * @param recorded where to look beyond the reach of owner references. @default - the inventory of the resource
   */
  ownedBy(
    owner: LiveObject,
    controller: Pick<Controller, 'name' | 'kind' | 'owns'>,
    recorded: readonly InventoryEntry[] = inventoryEntriesOf(owner, controller.owns),
  ): Kept[] {
    const owned = this.#controlledBy(owner, controller.owns);
    for (const one of recorded) {
      const object = this.claimed(one, owner);
      if (object) owned.push({ kind: one.kind, object });
    }
    const isOthers = ({ object }: Kept) => this.#isOfAnother(controller, object);
    return owned.some(isOthers) ? owned.filter((one) => !isOthers(one)) : owned;
  }

  /** An object of a resource's inventory, if it exists and names the resource as its owner. */
  claimed({ kind, key }: InventoryEntry, owner: LiveObject): LiveObject | undefined {
    const object = this.of(kind).get(key);
    return object && isClaimedBy(object, owner) ? object : undefined;
  }

  /** True if a controller {@link ownedBy owns} any object of the resource. */
  hasOwned(owner: LiveObject, controller: Pick<Controller, 'name' | 'kind' | 'owns'>): boolean {
    const isOwn = (object: LiveObject) => !this.#isOfAnother(controller, object);
    for (const kind of controller.owns) if (this.of(kind).owns(owner, isOwn)) return true;
    return inventoryEntriesOf(owner, controller.owns).length > 0 && this.ownedBy(owner, controller).length > 0;
  }

  /** The objects that other controllers of its kind created for a resource, of the kinds that a controller sees. */
  siblings(owner: LiveObject, controller: Pick<Controller, 'name' | 'kind' | 'watchesSiblings'>): Kept[] {
    return this.#controlledBy(owner, controller.watchesSiblings).filter(({ object }) =>
      this.#isOfAnother(controller, object),
    );
  }

  #controlledBy(owner: LiveObject, kinds: readonly ObjectKind[]): Kept[] {
    const found: Kept[] = [];
    for (const kind of kinds) for (const object of this.of(kind).ownedBy(owner)) found.push({ kind, object });
    return found;
  }

  /** Includes controllers that another process runs. */
  #isOfAnother({ name }: Pick<Controller, 'name'>, object: LiveObject): boolean {
    const maker = object.metadata.labels?.[controllerLabel];
    return maker !== undefined && maker !== name;
  }
}

/** A cached object with its kind, which its JSON alone does not identify. */
export interface Kept {
  readonly kind: ObjectKind;
  readonly object: LiveObject;
}

function storeIn(stores: Map<string, Store>, kind: ObjectKind): Store {
  const name = groupKindOf(kind);
  const known = stores.get(name);
  if (known) return known;
  const store = new Store(kind);
  stores.set(name, store);
  return store;
}
