import { keyOf, type LiveObject, type ObjectKey, ownersOf } from './object.js';

const none: readonly LiveObject[] = [];

/** The objects of one kind by whose they are. */
export class ByOwner {
  readonly #objects = new Map<string, Map<ObjectKey, LiveObject>>();
  /** What was asked for by owner, until that changes: one pass asks many times. */
  readonly #listed = new Map<
    string,
    { readonly namespace: string | undefined; readonly owned: readonly LiveObject[] }
  >();

  /** What a resource owns, by name. */
  of(owner: LiveObject): readonly LiveObject[] {
    const { uid, namespace } = owner.metadata;
    const siblings = this.#objects.get(uid);
    if (!siblings) return none;
    const known = this.#listed.get(uid);
    if (known && known.namespace === namespace) return known.owned;
    const owned: LiveObject[] = [];
    for (const object of siblings.values()) if (isInReach(owner, object)) owned.push(object);
    if (owned.length > 1) owned.sort((a, b) => (keyOf(a.metadata) < keyOf(b.metadata) ? -1 : 1));
    this.#listed.set(uid, { namespace, owned });
    return owned;
  }

  /** True of a resource that owns something of which this holds. */
  has(owner: LiveObject, holds: (object: LiveObject) => boolean): boolean {
    const siblings = this.#objects.get(owner.metadata.uid);
    if (!siblings) return false;
    for (const object of siblings.values()) if (isInReach(owner, object) && holds(object)) return true;
    return false;
  }

  put(key: ObjectKey, object: LiveObject): void {
    for (const { uid } of ownersOf(object)) {
      const siblings = this.#objects.get(uid) ?? new Map<ObjectKey, LiveObject>();
      this.#objects.set(uid, siblings.set(key, object));
      this.#listed.delete(uid);
    }
  }

  drop(key: ObjectKey, object: LiveObject): void {
    for (const { uid } of ownersOf(object)) {
      const siblings = this.#objects.get(uid);
      siblings?.delete(key);
      this.#listed.delete(uid);
      if (siblings?.size === 0) this.#objects.delete(uid);
    }
  }
}

/** A namespaced resource reaches no other namespace: what says so is forged. */
function isInReach({ metadata: { namespace } }: LiveObject, object: LiveObject): boolean {
  return namespace === undefined || object.metadata.namespace === namespace;
}
