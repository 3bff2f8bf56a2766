import type { Applying } from './apply.js';
import type { PatchOperation } from './cluster.js';
import { writeIfTold } from './doubts.js';
import { ownerReference } from './inventory.js';
import { groupKindOf, type ObjectKind } from './kinds.js';
import type { LiveObject, Manifest } from './object.js';
import { patching } from './patching.js';
import type { Desired } from './render.js';

/**
 * A kind whose objects several resources of a namespace own together: each that wants one is among its owners, nobody
 * controls it, and it goes with the last. All must want the same of it, so it follows from nothing that is one's own.
 *
 * @example owns: [Deployment, shared(Gateway)]
 */
export function shared<K extends ObjectKind>(kind: K): K {
  return Object.freeze({ ...kind, shared: true });
}

/**
 * Owner references reach no further than a namespace.
 * @throws {Error} when what is shared may be beyond it
 */
export function refuseFar({ name, kind, owns }: { name: string; kind: ObjectKind; owns: readonly ObjectKind[] }): void {
  const far = owns.find((owned) => owned.shared && kind.namespaced && (owned.distant || !owned.namespaced));
  if (!far) return;
  throw new Error(
    `controller ${name}: ${groupKindOf(far)} is shared, but may be where no owner reference of a ${kind.kind} reaches: ` +
      'share what is in its namespace alone',
  );
}

/**
 * Makes a resource one of the owners of what is there already; the others stay.
 * @returns the object, and the wish with all of its owners
 * @throws {ApiError} Conflict when the object has changed since, which the next look sees
 */
export async function joined(
  desired: Desired,
  { wish, live }: { readonly wish: Manifest; readonly live: LiveObject },
  applying: Applying,
): Promise<{ readonly wish: Manifest; readonly live: LiveObject }> {
  const { uid } = applying.owner.metadata;
  const isOwner = live.metadata.ownerReferences?.some((reference) => reference.uid === uid);
  const now = isOwner ? live : await join(desired, live, applying);
  const { ownerReferences } = now.metadata;
  return { live: now, wish: { ...wish, metadata: { ...wish.metadata, ...(ownerReferences && { ownerReferences }) } } };
}

async function join(desired: Desired, live: LiveObject, applying: Applying): Promise<LiveObject> {
  const { controller, owner } = applying;
  const own = ownerReference(controller.kind, owner, 'shares');
  const isFirst = live.metadata.ownerReferences === undefined;
  const add: PatchOperation = isFirst
    ? { op: 'add', path: '/metadata/ownerReferences', value: [own] }
    : { op: 'add', path: '/metadata/ownerReferences/-', value: own };
  return (await patch(desired.kind, live, add, applying)) ?? live;
}

/** True of what others own too: it stays when one of its owners does not want it any more. */
export function hasOtherOwners({ metadata: { ownerReferences = [] } }: LiveObject, owner: LiveObject): boolean {
  return ownerReferences.some(({ uid }) => uid !== owner.metadata.uid);
}

/**
 * Takes a resource off the owners of an object.
 * @throws {ApiError} Conflict when the object has changed since, which the next look sees
 */
export async function leave(kind: ObjectKind, live: LiveObject, applying: Applying): Promise<void> {
  const { uid } = applying.owner.metadata;
  const index = live.metadata.ownerReferences?.findIndex((reference) => reference.uid === uid) ?? -1;
  await patch(kind, live, { op: 'remove', path: `/metadata/ownerReferences/${index}` }, applying);
}

function patch(
  kind: ObjectKind,
  live: LiveObject,
  operation: PatchOperation,
  applying: Applying,
): Promise<LiveObject | undefined> {
  return writeIfTold(kind, live, applying, patching(kind, live, [operation], applying));
}
