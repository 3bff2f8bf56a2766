import { keyOf, type LiveObject, type ObjectKey, ownersOf } from '../kubernetes/object.js';

const none: readonly LiveObject[] = [];

/** The objects that name one owner. */
interface Siblings {
  readonly objects: Map<ObjectKey, LiveObject>;
  /** The last result for an owner in this namespace, until an object changes. One reconcile asks many times. */
  listed?: { readonly namespace: string | undefined; readonly owned: readonly LiveObject[] } | undefined;
}

/** The objects of one kind, by their owner. */
export class OwnerIndex {
  readonly #siblings = new Map<string, Siblings>();

  /** The objects that a resource owns, by name. */
  of(owner: LiveObject): readonly LiveObject[] {
    const { uid, namespace } = owner.metadata;
    const siblings = this.#siblings.get(uid);
    if (!siblings) return none;
    if (siblings.listed && siblings.listed.namespace === namespace) return siblings.listed.owned;
    const owned: LiveObject[] = [];
    for (const object of siblings.objects.values()) if (isInReach(owner, object)) owned.push(object);
    if (owned.length > 1) owned.sort((a, b) => (keyOf(a.metadata) < keyOf(b.metadata) ? -1 : 1));
    siblings.listed = { namespace, owned };
    return owned;
  }

  /** True if the resource owns an object for which the predicate holds. */
  has(owner: LiveObject, holds: (object: LiveObject) => boolean): boolean {
    const siblings = this.#siblings.get(owner.metadata.uid);
    if (!siblings) return false;
    for (const object of siblings.objects.values()) if (isInReach(owner, object) && holds(object)) return true;
    return false;
  }

  put(key: ObjectKey, object: LiveObject): void {
    for (const { uid } of ownersOf(object)) {
      const siblings = this.#siblings.get(uid) ?? { objects: new Map<ObjectKey, LiveObject>() };
      siblings.objects.set(key, object);
      siblings.listed = undefined;
      this.#siblings.set(uid, siblings);
    }
  }

  drop(key: ObjectKey, object: LiveObject): void {
    for (const { uid } of ownersOf(object)) {
      const siblings = this.#siblings.get(uid);
      if (!siblings) continue;
      siblings.objects.delete(key);
      siblings.listed = undefined;
      if (siblings.objects.size === 0) this.#siblings.delete(uid);
    }
  }
}

/** A namespaced resource owns nothing in other namespaces. An owner reference from there is forged. */
function isInReach({ metadata: { namespace } }: LiveObject, object: LiveObject): boolean {
  return namespace === undefined || object.metadata.namespace === namespace;
}
