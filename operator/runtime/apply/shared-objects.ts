import { patching, writeIfTold } from '../context/object-writes.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { ownerReference } from '../ownership/ownership-labels.js';
import type { PatchOperation } from '../ports/cluster.js';
import type { Desired } from '../rendering/render.js';

/**
 * Adds a resource to the owners of an existing object. The other owners stay.
 * @returns the object, and the manifest with all of its owners
 * @throws {ApiError} Conflict if the object has changed since. The next reconcile sees it
 */
export async function joined(
  desired: Desired,
  { wish, live }: { readonly wish: Manifest; readonly live: LiveObject },
  context: ReconcileContext,
): Promise<{ readonly wish: Manifest; readonly live: LiveObject }> {
  const { uid } = context.resource.metadata;
  const isOwner = live.metadata.ownerReferences?.some((reference) => reference.uid === uid);
  const now = isOwner ? live : await join(desired, live, context);
  const { ownerReferences } = now.metadata;
  return { live: now, wish: { ...wish, metadata: { ...wish.metadata, ...(ownerReferences && { ownerReferences }) } } };
}

async function join(desired: Desired, live: LiveObject, context: ReconcileContext): Promise<LiveObject> {
  const { controller, resource } = context;
  const own = ownerReference(controller.kind, resource, 'shares');
  const isFirst = live.metadata.ownerReferences === undefined;
  const add: PatchOperation = isFirst
    ? { op: 'add', path: '/metadata/ownerReferences', value: [own] }
    : { op: 'add', path: '/metadata/ownerReferences/-', value: own };
  return (await patch(desired.kind, live, add, context)) ?? live;
}

/** True if others own the object too. It stays when one of its owners no longer desires it. */
export function hasOtherOwners({ metadata: { ownerReferences = [] } }: LiveObject, owner: LiveObject): boolean {
  return ownerReferences.some(({ uid }) => uid !== owner.metadata.uid);
}

/**
 * Removes a resource from the owners of an object.
 * @throws {ApiError} Conflict if the object has changed since. The next reconcile sees it
 */
export async function leave(kind: ObjectKind, live: LiveObject, context: ReconcileContext): Promise<void> {
  const { uid } = context.resource.metadata;
  const index = live.metadata.ownerReferences?.findIndex((reference) => reference.uid === uid) ?? -1;
  await patch(kind, live, { op: 'remove', path: `/metadata/ownerReferences/${index}` }, context);
}

function patch(
  kind: ObjectKind,
  live: LiveObject,
  operation: PatchOperation,
  context: ReconcileContext,
): Promise<LiveObject | undefined> {
  return writeIfTold(kind, live, context, patching(kind, live, [operation], context));
}
