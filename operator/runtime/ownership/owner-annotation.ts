import { groupKindOf, groupOf, type ObjectKind } from '../kubernetes/kinds.js';
import { controllerOf, keyOf, type LiveObject, type Manifest, type ObjectKey, ownersOf } from '../kubernetes/object.js';

/**
 * Annotation of an object that no owner reference can reach, with its owner: group and kind, `namespace/name`, UID,
 * with spaces between. Whoever may write the object can forge it, so it wakes an owner and no more: what is deleted is
 * also in the owner's own list.
 */
export const ownerAnnotation = 'reconstruct.dev/owner';

/** Whose an object says it is. */
export interface OwnerAnnotation {
  /** Group and kind. */
  readonly kind: string;
  readonly key: ObjectKey;
  readonly uid: string;
}

export function ownerAnnotationText(kind: ObjectKind, { metadata }: LiveObject): string {
  return `${groupKindOf(kind)} ${keyOf(metadata)} ${metadata.uid}`;
}

/** Undefined of an object that a resource controls by its owner reference, or that says nothing of the kind. */
export function ownerAnnotationOf(object: Manifest): OwnerAnnotation | undefined {
  const [kind, key, uid, ...more] = object.metadata.annotations?.[ownerAnnotation]?.split(' ') ?? [];
  if (!kind || !key || !uid || more.length > 0 || controllerOf(object)) return undefined;
  return { kind, key, uid };
}

/** Which resources of a kind own an object, as far as it says so. */
export function ownerKeysOf(object: LiveObject, kind: ObjectKind): readonly ObjectKey[] {
  const claim = ownerAnnotationOf(object);
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
