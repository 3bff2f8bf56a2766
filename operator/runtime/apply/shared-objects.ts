import type { ReconcileContext } from '../context/reconcile-context.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { ownerReference } from '../ownership/ownership-labels.js';
import type { PatchOperation } from '../ports/cluster.js';
import type { Desired } from '../rendering/render.js';
import type { Patch } from './decision.js';

/** Adds a resource to the owners of an existing object. The other owners stay. Undefined if it is among them. */
export function joining(
  { kind }: Desired,
  live: LiveObject,
  { controller, resource }: Pick<ReconcileContext, 'controller' | 'resource'>,
): Patch | undefined {
  const { ownerReferences } = live.metadata;
  if (ownerReferences?.some(({ uid }) => uid === resource.metadata.uid)) return undefined;
  const own = ownerReference(controller.kind, resource, 'shares');
  const add: PatchOperation =
    ownerReferences === undefined
      ? { op: 'add', path: '/metadata/ownerReferences', value: [own] }
      : { op: 'add', path: '/metadata/ownerReferences/-', value: own };
  return { do: 'patch', kind, live, operations: [add], why: 'join' };
}

/** The manifest of a shared object with all of its owners. */
export function withOwnersOf({ metadata: { ownerReferences } }: LiveObject, wish: Manifest): Manifest {
  return { ...wish, metadata: { ...wish.metadata, ...(ownerReferences && { ownerReferences }) } };
}

/** True if others own the object too. It stays when one of its owners no longer desires it. */
export function hasOtherOwners({ metadata: { ownerReferences = [] } }: LiveObject, owner: LiveObject): boolean {
  return ownerReferences.some(({ uid }) => uid !== owner.metadata.uid);
}

/** Removes a resource from the owners of an object. */
export function leavingOwner(kind: ObjectKind, live: LiveObject, { metadata: { uid } }: LiveObject): Patch {
  const index = live.metadata.ownerReferences?.findIndex((reference) => reference.uid === uid) ?? -1;
  const operations = [{ op: 'remove', path: `/metadata/ownerReferences/${index}` }] as const;
  return { do: 'patch', kind, live, operations, why: 'leave' };
}
