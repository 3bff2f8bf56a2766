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
  ownersOf,
  sharedAnnotation,
} from '../kubernetes/object.js';
import { appliedAnnotation, controllerLabel, onceAnnotation } from '../kubernetes/well-known-names.js';
import type { Desired } from '../rendering/render.js';
import { ownerAnnotation, ownerAnnotationOf, ownerAnnotationText } from './owner-annotation.js';

/** What a manifest needs to be found again: a mark to watch by, its owner, and the fingerprint of the wish. */
export function withOwnershipLabels(
  desired: Desired,
  by: { controller: string; kind: ObjectKind; owner: CustomResource },
): Manifest {
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
  // Of what is shared the wish is the same whoever wishes it.
  const together = isShared && { ownerReferences: [ownerReference(by.kind, by.owner, 'shares')] };
  return { ...wish, metadata: { ...wish.metadata, annotations, ...together } };
}

/** Where an object says whose it is. */
function ownershipOf(
  { kind, crossNamespace, manifest: { metadata } }: Desired,
  by: { kind: ObjectKind; owner: CustomResource },
  annotations: Manifest['metadata']['annotations'],
): Pick<Manifest['metadata'], 'annotations' | 'ownerReferences'> {
  if (crossNamespace)
    return { annotations: { ...annotations, [ownerAnnotation]: ownerAnnotationText(by.kind, by.owner) } };
  if (kind.shared) return { annotations: { ...annotations, [sharedAnnotation]: 'true' } };
  if (kind.withoutOwnerReference)
    return { annotations: { ...annotations, [controlledByAnnotation]: tieText(by.kind, by.owner) } };
  return { ownerReferences: [...(metadata.ownerReferences ?? []), ownerReference(by.kind, by.owner)] };
}

/** Whose an untied object is, as its annotation has it. */
function tieText(kind: ObjectKind, { metadata }: CustomResource): string {
  return `${apiVersionOf(kind)} ${kind.kind} ${metadata.name} ${metadata.uid}`;
}

/** What makes the garbage collector take an object with its owner, or with the last of those that share it. */
export function ownerReference(kind: ObjectKind, { metadata }: CustomResource, as: 'controls' | 'shares' = 'controls') {
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    name: metadata.name,
    uid: metadata.uid,
    ...(as === 'controls' && { controller: true, blockOwnerDeletion: true }),
  };
}

/** The fingerprint of a marked wish; of a live object, that of what was asked for last. */
export function wishOf({ metadata }: Manifest): string {
  return metadata.annotations?.[appliedAnnotation] ?? '';
}

/** True if an object was last asked for in the shape of this wish: no field that it has from us must go. */
export function hasSameFieldSet(live: LiveObject, wish: Manifest): boolean {
  const shape = (object: Manifest) => wishOf(object).split('.')[1];
  return shape(live) === shape(wish);
}

/** Short, stable for the same value with its keys in the same order, and safe in an annotation. */
export function fingerprint(value: unknown): string {
  return digest(JSON.stringify(value));
}

function digest(text: string): string {
  return hash('sha256', text, 'base64').slice(0, 22);
}

/** True of a live object that is left as it was made. */
export function isMadeOnce({ metadata }: Manifest): boolean {
  return metadata.annotations?.[onceAnnotation] !== undefined;
}

/** True of what this very resource controls, or shares: the UID tells it from an earlier one of the same name. */
export function isOwnedBy(object: LiveObject, owner: LiveObject): boolean {
  return ownersOf(object).some(({ uid }) => uid === owner.metadata.uid);
}

/**
 * True of what a controller of this name made and nobody controls any more: an owner reference was taken off by hand,
 * or the owner was deleted with `--cascade=orphan` and made again.
 */
export function isOrphanOf(object: LiveObject, controller: string): boolean {
  return isMadeBy(object, controller) && !controllerOf(object) && !ownerAnnotationOf(object);
}

/** True of what a controller of this name made, as far as it says so itself. */
export function isMadeBy(object: LiveObject, controller: string): boolean {
  return object.metadata.labels?.[controllerLabel] === controller && isApplied(object);
}

/** True of an untied object that was made for a resource of this name, which may have been deleted since and made again. */
export function isControlledByNameOf(object: LiveObject, kind: ObjectKind, owner: LiveObject): boolean {
  const was = annotatedOwnerOf(object);
  const isOfKind = was?.apiVersion === apiVersionOf(kind) && was.kind === kind.kind;
  return isApplied(object) && isOfKind && was.name === owner.metadata.name;
}

/** True of a distant object that was made for this very resource: the UID tells it from an earlier one of the same name. */
export function isClaimedBy(object: LiveObject, owner: LiveObject): boolean {
  return isApplied(object) && ownerAnnotationOf(object)?.uid === owner.metadata.uid;
}

/** True of a distant object that was made for a resource of this name, which may have been deleted since and made again. */
export function isClaimedFor(object: LiveObject, kind: ObjectKind, owner: LiveObject): boolean {
  const claim = ownerAnnotationOf(object);
  return isApplied(object) && claim?.kind === groupKindOf(kind) && claim?.key === keyOf(owner.metadata);
}

function isApplied({ metadata }: LiveObject): boolean {
  return metadata.annotations?.[appliedAnnotation] !== undefined;
}
