import type { Owned } from './controller.js';
import { groupKindOf, type LiveOf, type ObjectKind } from './kinds.js';
import type { LiveObject } from './object.js';
import type { Stores } from './stores.js';

/** What a resource controls of its controller's kinds, as the caches have it when asked. */
export function ownedOf(uid: string, kinds: readonly ObjectKind[], stores: Stores): Owned {
  const found = new Map(kinds.map((kind) => [groupKindOf(kind), stores.of(kind).controlledBy(uid)] as const));
  const of = <O extends ObjectKind>(kind: O) =>
    (found.get(groupKindOf(kind)) ?? []) as readonly LiveObject[] as readonly LiveOf<O>[];
  return {
    of,
    one: (kind) => of(kind)[0],
    all: (): readonly LiveObject[] => [...found.values()].flat(),
  };
}
