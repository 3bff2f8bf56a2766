import { claimOf } from './claim.js';
import { groupKindOf, groupOf, type ObjectKind } from './kinds.js';
import { keyOf, type LiveObject, type ObjectKey, ownersOf } from './object.js';

/** Which resources of a kind own an object, as far as it says so. */
export function ownerKeysOf(object: LiveObject, kind: ObjectKind): readonly ObjectKey[] {
  const claim = claimOf(object);
  if (claim) return claim.kind === groupKindOf(kind) ? [claim.key] : [];
  const keys: ObjectKey[] = [];
  for (const { apiVersion, kind: ownerKind, name } of ownersOf(object)) {
    if (ownerKind !== kind.kind || groupOf(apiVersion) !== kind.group) continue;
    keys.push(keyOf({ name, ...(kind.namespaced && { namespace: object.metadata.namespace ?? '' }) }));
  }
  return keys;
}

/** True where what says whose an object is has not changed. What is the same is kept on, so nothing is compared. */
export function isOwnedAlike({ metadata: a }: LiveObject, { metadata: b }: LiveObject): boolean {
  return a.ownerReferences === b.ownerReferences && a.annotations === b.annotations;
}
