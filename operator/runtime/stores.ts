import { groupKindOf, type ObjectKind } from './kinds.js';
import type { LiveObject } from './object.js';
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

  /** What a resource controls of these kinds. */
  controlledBy(owner: LiveObject, kinds: readonly ObjectKind[]): { kind: ObjectKind; object: LiveObject }[] {
    return kinds.flatMap((kind) =>
      this.of(kind)
        .controlledBy(owner)
        .map((object) => ({ kind, object })),
    );
  }
}
