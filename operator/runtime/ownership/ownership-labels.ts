import { hash } from 'node:crypto';
import type { CustomResource } from '../controller/custom-resource.js';
import { apiVersionOf, groupKindOf, groupOf, type ObjectKind } from '../kubernetes/kinds.js';
import {
  annotatedOwnerOf,
  controllerOf,
  keyOf,
  type LiveObject,
  type Manifest,
  type ObjectKey,
  ownersOf,
} from '../kubernetes/object.js';
import { appliedAnnotation, controllerLabel, onceAnnotation } from '../kubernetes/well-known-names.js';

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

/**
 * Annotation of a Pod that the cluster autoscaler may evict. It would keep the node of a Pod with an unknown owner or
 * with an `emptyDir` volume.
 * @see https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md
 */
export const evictableAnnotation = 'cluster-autoscaler.kubernetes.io/safe-to-evict';

/**
 * The owner reference, by which the garbage collector deletes an object with its owner, or with the last of several.
 */
export function ownerReference(kind: ObjectKind, { metadata }: CustomResource, as: 'controls' | 'shares' = 'controls') {
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    name: metadata.name,
    uid: metadata.uid,
    ...(as === 'controls' && { controller: true, blockOwnerDeletion: true }),
  };
}

/** The fingerprint of a labelled manifest. For a live object, that of the last applied manifest. */
export function wishOf({ metadata }: Manifest): string {
  return metadata.annotations?.[appliedAnnotation] ?? '';
}

/**
 * True if an object was last applied with the same set of fields as this manifest, so that none of our fields must be
 * removed.
 */
export function hasSameFieldSet(live: LiveObject, wish: Manifest): boolean {
  const shape = (object: Manifest) => wishOf(object).split('.')[1];
  return shape(live) === shape(wish);
}

/** Short, stable for the same value with its keys in the same order, and valid in an annotation. */
export function fingerprint(value: unknown): string {
  return digest(JSON.stringify(value));
}

/** Short, and valid in an annotation. */
export function digest(text: string): string {
  return hash('sha256', text, 'base64').slice(0, 22);
}

/** True for a live object that is created once and never changed. */
export function isMadeOnce({ metadata }: Manifest): boolean {
  return metadata.annotations?.[onceAnnotation] !== undefined;
}

/**
 * True if this resource controls or shares the object. The UID distinguishes it from an earlier resource of the same
 * name.
 */
export function isOwnedBy(object: LiveObject, owner: LiveObject): boolean {
  return ownersOf(object).some(({ uid }) => uid === owner.metadata.uid);
}

/**
 * True if a controller of this name created the object and no owner controls it any more: its owner reference was
 * removed manually, or its owner was deleted with `--cascade=orphan` and recreated.
 */
export function isOrphanOf(object: LiveObject, controller: string): boolean {
  return isMadeBy(object, controller) && !controllerOf(object) && !ownerAnnotationOf(object);
}

/** True if a controller of this name created the object, as its label states. */
export function isMadeBy(object: LiveObject, controller: string): boolean {
  return object.metadata.labels?.[controllerLabel] === controller && isApplied(object);
}

/**
 * True for an object without owner reference that was created for a resource of this name. The resource may have been
 * deleted and recreated since.
 */
export function isControlledByNameOf(object: LiveObject, kind: ObjectKind, owner: LiveObject): boolean {
  const was = annotatedOwnerOf(object);
  const isOfKind = was?.apiVersion === apiVersionOf(kind) && was.kind === kind.kind;
  return isApplied(object) && isOfKind && was.name === owner.metadata.name;
}

/**
 * True for a cross-namespace object that was created for this resource. The UID distinguishes it from an earlier
 * resource of the same name.
 */
export function isClaimedBy(object: LiveObject, owner: LiveObject): boolean {
  return isApplied(object) && ownerAnnotationOf(object)?.uid === owner.metadata.uid;
}

/**
 * True for a cross-namespace object that was created for a resource of this name. The resource may have been deleted
 * and recreated since.
 */
export function isClaimedFor(object: LiveObject, kind: ObjectKind, owner: LiveObject): boolean {
  const claim = ownerAnnotationOf(object);
  return isApplied(object) && claim?.kind === groupKindOf(kind) && claim?.key === keyOf(owner.metadata);
}

function isApplied({ metadata }: LiveObject): boolean {
  return metadata.annotations?.[appliedAnnotation] !== undefined;
}

/** The resource that owns an object. */
export interface Owner {
  /** The name of the controller. */
  readonly controller: string;
  readonly kind: ObjectKind;
  readonly owner: CustomResource;
}

/** Whether a resource may change an object: it owns the object, or the object has lost its owner of this name. */
export function mayTake(object: LiveObject, { controller, kind, owner }: Owner, crossNamespace: boolean): boolean {
  if (crossNamespace) return isClaimedFor(object, kind, owner);
  return isOwnedBy(object, owner) || isOrphanOf(object, controller) || isControlledByNameOf(object, kind, owner);
}

/** False if the object does not exist, or was created for another resource of this name. */
export function isTakenBy(object: LiveObject | undefined, kind: ObjectKind, owner: LiveObject): boolean {
  if (object === undefined) return false;
  if (isControlledByNameOf(object, kind, owner)) return isOwnedBy(object, owner);
  return !isClaimedFor(object, kind, owner) || isClaimedBy(object, owner);
}
