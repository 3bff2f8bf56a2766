import { indexedValues } from '../controller/reads.js';
import { keyOf, type LiveObject, type ObjectKey } from '../kubernetes/object.js';

/** Returns the values under which an object is found. Pure. */
export type IndexFunc = (object: LiveObject) => readonly string[];

/**
 * The objects of one kind, by the values of an index function. The indexer of a client-go cache.
 * @see https://pkg.go.dev/k8s.io/client-go/tools/cache#Indexer
 */
export class ValueIndex {
  readonly #objects = new Map<string, Map<ObjectKey, LiveObject>>();
  /** By key, because an object must leave the values under which it was put. */
  readonly #values = new Map<ObjectKey, readonly string[]>();
  /** What the index function threw, by key. The watch that reports an object must not fail for it. */
  readonly #failures = new Map<ObjectKey, unknown>();

  constructor(
    readonly indexFunc: IndexFunc,
    objects: Iterable<readonly [ObjectKey, LiveObject]>,
  ) {
    for (const [key, object] of objects) this.put(key, object);
  }

  /**
   * The objects with a value, by namespace and name.
   * @throws what the index function threw for an object, because that one may have the value
   */
  of(value: string): readonly LiveObject[] {
    for (const failure of this.#failures.values()) throw failure;
    const found = [...(this.#objects.get(value)?.values() ?? [])];
    return found.sort((a, b) => (keyOf(a.metadata) < keyOf(b.metadata) ? -1 : 1));
  }

  put(key: ObjectKey, object: LiveObject): void {
    this.drop(key);
    const values = this.#valuesOf(key, object);
    if (values.length === 0) return;
    this.#values.set(key, values);
    for (const value of values) {
      const objects = this.#objects.get(value) ?? new Map<ObjectKey, LiveObject>();
      this.#objects.set(value, objects.set(key, object));
    }
  }

  #valuesOf(key: ObjectKey, object: LiveObject): readonly string[] {
    try {
      return indexedValues(this, object);
    } catch (error) {
      this.#failures.set(key, error);
      return [];
    }
  }

  drop(key: ObjectKey): void {
    this.#failures.delete(key);
    for (const value of this.#values.get(key) ?? []) {
      const objects = this.#objects.get(value);
      objects?.delete(key);
      if (objects?.size === 0) this.#objects.delete(value);
    }
    this.#values.delete(key);
  }
}
