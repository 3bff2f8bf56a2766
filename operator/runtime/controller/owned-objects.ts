import { groupKindOf, type LiveOf, type ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject } from '../kubernetes/object.js';

/** The objects that a resource owns, in the order in which a controller sees them. */
export function ownedOf(objects: readonly { readonly kind: ObjectKind; readonly object: LiveObject }[]): Owned {
  const found = new Map<string, LiveObject[]>();
  for (const { kind, object } of objects) {
    const name = groupKindOf(kind);
    const others = found.get(name);
    if (others) others.push(object);
    else found.set(name, [object]);
  }
  const of = <O extends ObjectKind>(kind: O) =>
    (found.get(groupKindOf(kind)) ?? []) as readonly LiveObject[] as readonly LiveOf<O>[];
  return {
    of,
    one: (kind) => of(kind)[0],
    all: (): readonly LiveObject[] => [...found.values()].flat(),
  };
}

/** The objects that a resource owns, as they are now. Frozen. */
export interface Owned<K extends ObjectKind = ObjectKind> {
  /** All objects of a kind, by name. */
  of<O extends K>(kind: O): readonly LiveOf<O>[];
  /** The only object of a kind. The first by name if there are more, undefined if there is none. */
  one<O extends K>(kind: O): LiveOf<O> | undefined;
  /** The objects of every kind. */
  all(): readonly LiveObject[];
}
