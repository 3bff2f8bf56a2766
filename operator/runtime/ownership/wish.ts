import type { CustomResource } from '../controller/custom-resource.js';
import { needsPodOwner } from '../controller/owned-kinds.js';
import { fieldSetOf } from '../fields/field-set.js';
import { apiVersionOf, groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import {
  controlledByAnnotation,
  isDeleting,
  keyOf,
  type LiveObject,
  type Manifest,
  type OwnerReference,
  sharedAnnotation,
} from '../kubernetes/object.js';
import { appliedAnnotation, controllerLabel, onceAnnotation } from '../kubernetes/well-known-names.js';
import type { Desired } from '../rendering/render.js';
import {
  digest,
  evictableAnnotation,
  fingerprint,
  type Owner,
  ownerAnnotation,
  ownerReference,
} from './ownership-labels.js';
import { podOwnerIn, podOwnerReference, type Search } from './pod-owner.js';

/** The resource that owns an object, and where to find what controls its Pods. */
interface OwnerOfPods extends Owner {
  /** @default - its Pods have no owner reference */
  readonly search?: Search;
}

/**
 * The owner references of a desired object, if it is a Pod. The first one is that of its pod owner. The second one is
 * that of the resource, which does not control the Pod. The garbage collector keeps an object while one of its owners is
 * neither gone nor in foreground deletion. So a foreground deletion of the pod owner alone deletes no Pod.
 */
function podOwnersOf({ kind, manifest }: Desired, search: Search): readonly OwnerReference[] {
  const { controller, resource } = search;
  const owner = needsPodOwner(kind) ? podOwnerIn(manifest.metadata.namespace ?? '', search) : undefined;
  if (!owner) return none;
  const reference = podOwnerReference(owner);
  return isDeleting(resource) ? [reference] : [reference, ownerReference(controller.kind, resource, 'shares')];
}
const none: readonly OwnerReference[] = Object.freeze([]);

/** Adds what is needed to find an object again: a label to watch by, its owner, and the fingerprint of its manifest. */
export function withOwnershipLabels(desired: Desired, by: OwnerOfPods): Manifest {
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
  desired: Desired,
  by: OwnerOfPods,
  annotations: Manifest['metadata']['annotations'],
): Pick<Manifest['metadata'], 'annotations' | 'ownerReferences'> {
  const { kind, crossNamespace, manifest } = desired;
  const { metadata } = manifest;
  if (crossNamespace)
    return { annotations: { ...annotations, [ownerAnnotation]: ownerAnnotationText(by.kind, by.owner) } };
  if (kind.shared) return { annotations: { ...annotations, [sharedAnnotation]: 'true' } };
  if (kind.withoutOwnerReference) {
    const podOwners = by.search ? podOwnersOf(desired, by.search) : [];
    const tied = { ...annotations, [controlledByAnnotation]: tieText(by.kind, by.owner) };
    if (podOwners.length === 0) return { annotations: tied };
    const ownerReferences = [...(metadata.ownerReferences ?? []), ...podOwners];
    return { annotations: { [evictableAnnotation]: 'true', ...tied }, ownerReferences };
  }
  return { ownerReferences: [...(metadata.ownerReferences ?? []), ownerReference(by.kind, by.owner)] };
}

/** The owner of an object without owner reference, as the text of its annotation. */
function tieText(kind: ObjectKind, { metadata }: CustomResource): string {
  return `${apiVersionOf(kind)} ${kind.kind} ${metadata.name} ${metadata.uid}`;
}

/** The owner of an object beyond the reach of owner references, as the text of its annotation. */
export function ownerAnnotationText(kind: ObjectKind, { metadata }: LiveObject): string {
  return `${groupKindOf(kind)} ${keyOf(metadata)} ${metadata.uid}`;
}
