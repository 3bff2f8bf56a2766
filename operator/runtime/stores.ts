import { isClaimedBy } from './inventory.js';
import { groupKindOf, type ObjectKind } from './kinds.js';
import type { LiveObject } from './object.js';
import { type Recorded, recordedOf } from './recorded.js';
import { Store } from './store.js';

/** One store per kind, shared by all controllers of the process. */
export class Stores {
  readonly #stores = new Map<string, Store>();

  of(kind: ObjectKind): Store {
    const name = groupKindOf(kind);
    const store = this.#stores.get(name) ?? new Store(kind);
    this.#stores.set(name, store);
    return store;
  }

  /**
   * What a resource owns of these kinds: what it controls, and of what is recorded that which says so too.
   * @param recorded where to look beyond the reach of owner references. @default - what its inventory lists
   */
  ownedBy(
    owner: LiveObject,
    kinds: readonly ObjectKind[],
    recorded: readonly Recorded[] = recordedOf(owner, kinds),
  ): { kind: ObjectKind; object: LiveObject }[] {
    const near = kinds.flatMap((kind) =>
      this.of(kind)
        .controlledBy(owner)
        .map((object) => ({ kind, object })),
    );
    const far = recorded.flatMap(({ kind, key }) => {
      const object = this.of(kind).get(key);
      return object && isClaimedBy(object, owner) ? [{ kind, object }] : [];
    });
    return [...near, ...far];
  }
}
