import type { ReconcileContext } from '../context/reconcile-context.js';
import { isApiError, isRefusal } from '../kubernetes/errors.js';
import { Pod } from '../kubernetes/kinds.js';
import { isDeleting, type LiveObject } from '../kubernetes/object.js';
import { finalizerOf } from '../kubernetes/well-known-names.js';
import { isPodOwner, podOwnerIn, podOwnerKind, podOwnerReference, type Search } from '../ownership/pod-owner.js';
import { allPages } from '../ports/all-pages.js';
import { finalizerRemoval } from '../ports/cluster.js';
import { sent } from './send.js';

/** Where a reconcile searches its pod owners. */
export function searchIn({ controller, resource, stores }: ReconcileContext): Search {
  return { controller, resource, find: (kind, key) => stores.of(kind).get(key) };
}

/**
 * Deletes a pod owner that is no longer desired. If another one has taken its place, the Pods that still name it are
 * moved first, because the garbage collector deletes a Pod whose only owner is gone. The server lists them: the caches
 * do not show a Pod without our label.
 * @returns true if it is gone
 * @throws {ApiError} Conflict if it, or one of the Pods, has changed since. The next reconcile sees it
 */
export async function removePodOwner(live: LiveObject, context: ReconcileContext): Promise<boolean> {
  const { uid, namespace = '' } = live.metadata;
  const next = podOwnerIn(namespace, searchIn(context));
  if (next && next.metadata.uid !== uid) await movePods(live, next, context);
  if (isDeleting(live)) return release(live, context);
  const left = await sent({ do: 'delete', kind: podOwnerKind, live, isHeld: true }, context);
  return left === undefined || release(left, context);
}

async function movePods(from: LiveObject, to: LiveObject, context: ReconcileContext): Promise<void> {
  const { cluster, signal } = context;
  const query = { namespace: from.metadata.namespace, signal };
  for await (const { items } of allPages({ cluster, kind: Pod }, query))
    for (const pod of items) {
      const { ownerReferences = [] } = pod.metadata;
      const index = ownerReferences.findIndex(({ uid }) => uid === from.metadata.uid);
      if (index < 0 || isDeleting(pod)) continue;
      const path = `/metadata/ownerReferences/${index}`;
      const operations = [{ op: 'replace', path, value: podOwnerReference(to) }] as const;
      await sent({ do: 'patch', kind: Pod, live: pod, operations, why: 'move' }, context);
    }
}

/** @returns true if it is gone, and false while the finalizer of another writer holds it */
async function release(live: LiveObject, context: ReconcileContext): Promise<boolean> {
  const operations = finalizerRemoval(live, finalizerOf(context.controller.name));
  if (operations.length === 0) return false;
  return (await sent({ do: 'patch', kind: podOwnerKind, live, operations, why: 'release' }, context)) === undefined;
}

/**
 * Lets go of the pod owners of a resource that is released without the rest of its cleanup. They and their Pods stay. A
 * refusal does not block the release.
 */
export async function releasePodOwners(context: ReconcileContext): Promise<void> {
  const { controller, resource, stores } = context;
  const of = { controller, resource: resource.metadata.name };
  for (const one of stores.ownedBy(resource, controller).filter((kept) => isPodOwner(kept, of)))
    try {
      await release(one.object, context);
    } catch (error) {
      if (!isRefusal(error) && !isApiError(error, 'NotFound')) throw error;
    }
}
