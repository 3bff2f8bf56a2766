import type { Owned } from './controller.js';
import { groupKindOf, type LiveOf, type ObjectKind } from './kinds.js';
import type { LiveObject } from './object.js';
import type { Stores } from './stores.js';

/**
 * What a resource controls of its controller's kinds, as the caches have it when asked.
 * @param isMeant picks what is to be judged: a leftover, or a forgery beside the real one, is not
 */
export function ownedOf(
  owner: LiveObject,
  {
    kinds,
    stores,
    isMeant,
  }: { kinds: readonly ObjectKind[]; stores: Stores; isMeant: (kind: ObjectKind, object: LiveObject) => boolean },
): Owned {
  const meant = (kind: ObjectKind) =>
    stores
      .of(kind)
      .controlledBy(owner)
      .filter((object) => isMeant(kind, object));
  const found = new Map(kinds.map((kind) => [groupKindOf(kind), meant(kind)] as const));
  const of = <O extends ObjectKind>(kind: O) =>
    (found.get(groupKindOf(kind)) ?? []) as readonly LiveObject[] as readonly LiveOf<O>[];
  return {
    of,
    one: (kind) => of(kind)[0],
    all: (): readonly LiveObject[] => [...found.values()].flat(),
  };
}
