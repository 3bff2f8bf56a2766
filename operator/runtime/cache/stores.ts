import type { Controller } from '../controller/controller.js';
import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject } from '../kubernetes/object.js';
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
  /** Kinds that controllers are for. */
  readonly #resources = new Set<string>();
  readonly unconfirmedWrites = new UnconfirmedWrites();
  /** How far what there is has been told. */
  readonly watched = new WatchProgress();

  /** Takes note of a controller: of its resources everything is watched, whatever their labels. */
  enlist({ kind }: Pick<Controller, 'kind'>): void {
    this.#resources.add(groupKindOf(kind));
  }

  /** True of a kind of resources: all of its objects are watched, not those alone that carry our label. */
  watchesAll(kind: ObjectKind): boolean {
    return this.#resources.has(groupKindOf(kind));
  }

  /** The resources of a kind, or the objects of a kind that carry our label: one store for each kind. */
  of(kind: ObjectKind): Store {
    return storeIn(this.#stores, kind);
  }

  /**
   * All objects of a kind that some controller reads. A store of its own: what is owned is watched by label, and one that
   * is written through keeps its writes from its listeners, which a reader of another controller's objects must hear.
   */
  read(kind: ObjectKind): Store {
    return storeIn(this.#read, kind);
  }

  /** True while it is known what there is of a kind, whether it is owned or read. */
  isServed(kind: ObjectKind): boolean {
    const name = groupKindOf(kind);
    return [this.#stores.get(name), this.#read.get(name)].some((store) => store?.isServed);
  }

  /** Every store there is: a kind that is both owned and read has two. */
  get all(): readonly Store[] {
    return [...this.#stores.values(), ...this.#read.values()];
  }

  /** What the resources of a controller refer to. */
  reading({ name, reads }: Pick<Controller, 'name' | 'reads'>): ReferenceIndex {
    const reading = this.#readings.get(name) ?? new ReferenceIndex(reads);
    this.#readings.set(name, reading);
    return reading;
  }

  /** True of an object that some resource refers to: of others the metadata is enough. */
  isReferredTo(kind: ObjectKind, object: LiveObject): boolean {
    return [...this.#readings.values()].some((reading) => reading.readersOf(kind, object).size > 0);
  }

  /**
   * What a resource owns of a controller's kinds: what it controls, and of what is recorded that which says so too. What
   * carries the name of another controller of the resource's kind is that one's.
   * @param recorded where to look beyond the reach of owner references. @default - what its inventory lists
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

  /** What is recorded of a resource, where it is there and says so too. */
  claimed({ kind, key }: InventoryEntry, owner: LiveObject): LiveObject | undefined {
    const object = this.of(kind).get(key);
    return object && isClaimedBy(object, owner) ? object : undefined;
  }

  /** True of a resource of which a controller {@link ownedBy owns} anything. */
  hasOwned(owner: LiveObject, controller: Pick<Controller, 'name' | 'kind' | 'owns'>): boolean {
    const isOwn = (object: LiveObject) => !this.#isOfAnother(controller, object);
    for (const kind of controller.owns) if (this.of(kind).owns(owner, isOwn)) return true;
    return inventoryEntriesOf(owner, controller.owns).length > 0 && this.ownedBy(owner, controller).length > 0;
  }

  /** What other controllers of its kind made of a resource, of the kinds that a controller sees. */
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

  /** Also of one that another process runs. */
  #isOfAnother({ name }: Pick<Controller, 'name'>, object: LiveObject): boolean {
    const maker = object.metadata.labels?.[controllerLabel];
    return maker !== undefined && maker !== name;
  }
}

/** An object as the caches have it, and its kind, which its JSON alone does not tell. */
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
