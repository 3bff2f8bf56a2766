import type { ReconcileContext } from '../context/reconcile-context.js';
import { pointerToken } from '../kubernetes/json.js';
import {
  isPodOwnerReference,
  type LiveMeta,
  type LiveObject,
  type Manifest,
  type ManifestMeta,
  type OwnerReference,
} from '../kubernetes/object.js';
import { controllerLabel } from '../kubernetes/well-known-names.js';
import { evictableAnnotation, isClaimedBy, isOwnedBy } from '../ownership/ownership-labels.js';
import type { PatchOperation } from '../ports/cluster.js';
import { type Change, type Patch, type Rest, rest } from './decision.js';

/**
 * Leaves an object as it was created. An adopted object gets its new owner, and an object that lost its label gets it
 * back. Both keep their content, because an apply would remove the fields of an earlier apply. A Pod without its pod
 * owner gets no more than that: its other annotations say what it was created from.
 */
export function markings(
  { desired, wish, live }: Change,
  { controller, resource }: Pick<ReconcileContext, 'controller' | 'resource'>,
): Patch | Rest {
  const isSeen = live.metadata.labels?.[controllerLabel] === controller.name;
  const isOwn = desired.crossNamespace ? isClaimedBy(live, resource) : isOwnedBy(live, resource);
  if (isSeen && isOwn && hasPodOwner(live, wish)) return rest;
  const operations = isSeen && isOwn ? podOwnerMarks(live, wish) : marks(live, wish);
  return { do: 'patch', kind: desired.kind, live, operations, why: 'mark' };
}

/** The labels, annotations and owner references that identify the owner and the manifest. */
function marks({ metadata: live }: LiveObject, { metadata: wish }: Manifest): readonly PatchOperation[] {
  return [
    ...entries('/metadata/labels', live.labels, wish.labels),
    ...entries('/metadata/annotations', live.annotations, wish.annotations),
    ...ownersIn(live, wish),
  ];
}

/** True if the pod owner that is meant controls the Pod, and for all other objects. */
function hasPodOwner({ metadata: live }: LiveObject, { metadata: wish }: Manifest): boolean {
  const owner = wish.ownerReferences?.find(isPodOwnerReference);
  return owner === undefined || (live.ownerReferences?.some(({ uid }) => uid === owner.uid) ?? false);
}

function podOwnerMarks({ metadata: live }: LiveObject, { metadata: wish }: Manifest): readonly PatchOperation[] {
  const { [evictableAnnotation]: evictable = 'true' } = { ...wish.annotations, ...live.annotations };
  return [
    ...entries('/metadata/annotations', live.annotations, { [evictableAnnotation]: evictable }),
    ...ownersIn(live, wish),
  ];
}

/** Other owners stay, up to an earlier pod owner: the API server accepts one controller. */
function ownersIn(live: LiveMeta, wish: ManifestMeta): readonly PatchOperation[] {
  const owners = wish.ownerReferences ?? [];
  if (owners.length === 0) return [];
  const isStale = (one: OwnerReference) => isPodOwnerReference(one) || owners.some(({ uid }) => uid === one.uid);
  const others = (live.ownerReferences ?? []).filter((one) => !isStale(one));
  return [{ op: 'add', path: '/metadata/ownerReferences', value: [...others, ...owners] }];
}

type Texts = Readonly<Record<string, string>>;

/** Entry by entry, because the caches do not know all entries. */
function entries(path: string, live: Texts | undefined, wish: Texts = {}): readonly PatchOperation[] {
  if (!live) return [{ op: 'add', path, value: wish }];
  return Object.entries(wish).map(([key, value]) => ({ op: 'add', path: `${path}/${pointerToken(key)}`, value }));
}
