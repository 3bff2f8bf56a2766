import { groupKindOf, type ObjectKind } from './kinds.js';
import { controllerOf, keyOf, type LiveObject, type Manifest, type ObjectKey } from './object.js';

/**
 * Annotation of an object that no owner reference can reach, with its owner: group and kind, `namespace/name`, UID,
 * with spaces between. Whoever may write the object can forge it, so it wakes an owner and no more: what is deleted is
 * also in the owner's own list.
 */
export const ownerAnnotation = 'reconstruct.dev/owner';

/** Whose an object says it is. */
export interface Claim {
  /** Group and kind. */
  readonly kind: string;
  readonly key: ObjectKey;
  readonly uid: string;
}

export function claimText(kind: ObjectKind, { metadata }: LiveObject): string {
  return `${groupKindOf(kind)} ${keyOf(metadata)} ${metadata.uid}`;
}

/** Undefined of an object that a resource controls by its owner reference, or that says nothing of the kind. */
export function claimOf(object: Manifest): Claim | undefined {
  const [kind, key, uid, ...more] = object.metadata.annotations?.[ownerAnnotation]?.split(' ') ?? [];
  if (!kind || !key || !uid || more.length > 0 || controllerOf(object)) return undefined;
  return { kind, key, uid };
}
