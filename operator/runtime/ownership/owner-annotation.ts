import { groupKindOf, groupOf, type ObjectKind } from '../kubernetes/kinds.js';
import { controllerOf, keyOf, type LiveObject, type Manifest, type ObjectKey, ownersOf } from '../kubernetes/object.js';

/**
 * Annotation of an object beyond the reach of owner references, with its owner: group and kind, `namespace/name`, UID,
 * separated by spaces. Any user who may write the object can forge it, so it only triggers a reconcile of the owner. An
 * object is deleted only if it is also in the owner's inventory.
 */
export const ownerAnnotation = 'reconstruct.dev/owner';

/** The owner that an object names. */
export interface OwnerAnnotation {
  /** Group and kind. */
  readonly kind: string;
  readonly key: ObjectKey;
  readonly uid: string;
}

export function ownerAnnotationText(kind: ObjectKind, { metadata }: LiveObject): string {
  return `${groupKindOf(kind)} ${keyOf(metadata)} ${metadata.uid}`;
}

/** Undefined if a resource controls the object by owner reference, or if the object has no such annotation. */
export function ownerAnnotationOf(object: Manifest): OwnerAnnotation | undefined {
  const [kind, key, uid, ...more] = object.metadata.annotations?.[ownerAnnotation]?.split(' ') ?? [];
  if (!kind || !key || !uid || more.length > 0 || controllerOf(object)) return undefined;
  return { kind, key, uid };
}

/** The resources of a kind that an object names as its owners. */
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

/**
 * True if the owner information of an object is unchanged. Unchanged parts are reused, so nothing is compared in depth.
 */
export function isOwnedAlike({ metadata: a }: LiveObject, { metadata: b }: LiveObject): boolean {
  return a.ownerReferences === b.ownerReferences && a.annotations === b.annotations;
}
