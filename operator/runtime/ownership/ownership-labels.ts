import { hash } from 'node:crypto';
import type { CustomResource } from '../controller/custom-resource.js';
import { fieldSetOf } from '../fields/field-set.js';
import { apiVersionOf, groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import {
  annotatedOwnerOf,
  controlledByAnnotation,
  controllerOf,
  keyOf,
  type LiveObject,
  type Manifest,
  type OwnerReference,
  ownersOf,
  sharedAnnotation,
} from '../kubernetes/object.js';
import { appliedAnnotation, controllerLabel, onceAnnotation } from '../kubernetes/well-known-names.js';
import type { Desired } from '../rendering/render.js';
import { ownerAnnotation, ownerAnnotationOf, ownerAnnotationText } from './owner-annotation.js';

/** The resource that owns an object, and what controls its Pods. */
interface Owner {
  /** The name of the controller. */
  readonly controller: string;
  readonly kind: ObjectKind;
  readonly owner: CustomResource;
  /** The references of a Pod whose resource does not control it. @default [] */
  readonly podOwners?: readonly OwnerReference[];
}

/** Adds what is needed to find an object again: a label to watch by, its owner, and the fingerprint of its manifest. */
export function withOwnershipLabels(desired: Desired, by: Owner): Manifest {
  const { metadata } = desired.manifest;
  const isShared = desired.kind.shared;
  const stated = desired.once ? { ...metadata.annotations, [onceAnnotation]: 'true' } : metadata.annotations;
  const wish = {
    ...desired.manifest,
    metadata: {
      ...metadata,
      ...(stated && { annotations: stated }),
      labels: { ...metadata.labels, [controllerLabel]: by.controller },
      ...ownershipOf(desired, by, stated),
    },
  };
  const annotations = {
    ...wish.metadata.annotations,
    [appliedAnnotation]: `${fingerprint(wish)}.${digest(fieldSetOf(wish))}`,
  };
  // The manifest of a shared object is the same for all of its owners.
  const together = isShared && { ownerReferences: [ownerReference(by.kind, by.owner, 'shares')] };
  return { ...wish, metadata: { ...wish.metadata, annotations, ...together } };
}

/** Where an object names its owner. */
function ownershipOf(
  { kind, crossNamespace, manifest: { metadata } }: Desired,
  by: Owner,
  annotations: Manifest['metadata']['annotations'],
): Pick<Manifest['metadata'], 'annotations' | 'ownerReferences'> {
  if (crossNamespace)
    return { annotations: { ...annotations, [ownerAnnotation]: ownerAnnotationText(by.kind, by.owner) } };
  if (kind.shared) return { annotations: { ...annotations, [sharedAnnotation]: 'true' } };
  if (kind.withoutOwnerReference) {
    const { podOwners = [] } = by;
    const tied = { ...annotations, [controlledByAnnotation]: tieText(by.kind, by.owner) };
    if (podOwners.length === 0) return { annotations: tied };
    const ownerReferences = [...(metadata.ownerReferences ?? []), ...podOwners];
    return { annotations: { [evictableAnnotation]: 'true', ...tied }, ownerReferences };
  }
  return { ownerReferences: [...(metadata.ownerReferences ?? []), ownerReference(by.kind, by.owner)] };
}

/**
 * Annotation of a Pod that the cluster autoscaler may evict. It would keep the node of a Pod with an unknown owner or
 * with an `emptyDir` volume.
 * @see https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md
 */
export const evictableAnnotation = 'cluster-autoscaler.kubernetes.io/safe-to-evict';

/** The owner of an object without owner reference, as the text of its annotation. */
function tieText(kind: ObjectKind, { metadata }: CustomResource): string {
  return `${apiVersionOf(kind)} ${kind.kind} ${metadata.name} ${metadata.uid}`;
}

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

function digest(text: string): string {
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
