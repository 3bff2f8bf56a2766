import { allInParallel } from '../concurrency/parallel.js';
import { ifServed } from '../context/kind-discovery.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { callUserCode } from '../controller/user-code.js';
import { pointerToken } from '../kubernetes/json.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import {
  controlledByAnnotation,
  isDeleting,
  isPodOwnerReference,
  keyOf,
  type LiveObject,
  nameOf,
  type OwnerReference,
} from '../kubernetes/object.js';
import { type InventoryEntry, placeOf } from '../ownership/inventory.js';
import { isClaimedBy } from '../ownership/ownership-labels.js';
import { isPodOwner } from '../ownership/pod-owner.js';
import { type ResourceEvent, recordEvent } from '../ports/event-recorder.js';
import { fieldsOf } from '../rendering/render.js';
import { kindPosition } from '../rendering/waves.js';
import type { Delete, Patch } from './decision.js';
import { removePodOwner } from './pod-owner-changes.js';
import { sent } from './send.js';
import { hasOtherOwners, leavingOwner } from './shared-objects.js';

/** An owned object that is no longer desired. */
export interface Leftover {
  readonly kind: ObjectKind;
  readonly object: LiveObject;
}

/** The objects that a resource owns and no longer desires, the last created first. */
export function leftovers(owned: readonly Leftover[], desired: readonly InventoryEntry[]): Leftover[] {
  const wanted = new Set(desired.map(placeOf));
  return owned
    .filter(({ kind, object }) => !wanted.has(placeOf({ kind, key: keyOf(object.metadata) })))
    .sort((a, b) => kindPosition(b.kind) - kindPosition(a.kind));
}

/** The result of the search for inventory entries. */
export interface Looked {
  readonly found: readonly Leftover[];
  /** Entries whose object does not exist or is not ours. */
  readonly absent: readonly InventoryEntry[];
  /** False if some entries were not searched. */
  readonly isAll: boolean;
}

/** Another writer can have listed any number of objects that never existed. */
const maxMissesByDefault = 250;

/**
 * The inventory entries that no watch shows as ours but that exist and are ours: the label was removed, or the watch
 * has not reported them yet. Each takes a read, so this runs only before deletions, and the number of reads in one
 * reconcile is limited.
 */
export async function unseen(recorded: readonly InventoryEntry[], context: ReconcileContext): Promise<Looked> {
  const { cluster, resource, signal, maxMisses = maxMissesByDefault } = context;
  const found: Leftover[] = [];
  const absent: InventoryEntry[] = [];
  let reads = maxMisses;
  await allInParallel(recorded, async (one) => {
    if (reads <= 0) return;
    reads--;
    const { kind, key } = one;
    const read = () => cluster.read(kind, nameOf(key), { signal });
    const object = await ifServed(kind, context, read).catch((error: unknown) => {
      reads = 0; // the other reads would probably fail too
      throw error;
    });
    if (object && isClaimedBy(object, resource)) {
      found.push({ kind, object });
      reads++;
    } else absent.push(one);
  });
  return { found, absent, isAll: found.length + absent.length === recorded.length };
}

/**
 * Deletes objects, each only if it is the same object in the same state that was found to be ours. For a resource that
 * is being deleted, an object that others depend on is deleted only after those are gone: for example, a volume after
 * its pods. Objects that the controller retains stay without an owner. One event lists the objects, unless the resource is
 * being deleted, which explains them.
 * @param held objects that stay
 * @returns the objects that still exist, those that stay among them
 */
export async function prune(
  found: readonly Leftover[],
  context: ReconcileContext,
  held: readonly Leftover[] = [],
): Promise<Leftover[]> {
  const pruned: Leftover[] = [];
  try {
    return await pruneEach(found, context, { held, pruned });
  } finally {
    if (pruned.length > 0 && !isDeleting(context.resource)) recordEvent(prunedEvent(pruned), context, context.resource);
  }
}

function prunedEvent(pruned: readonly Leftover[]): ResourceEvent {
  const names = pruned.map(({ kind, object }) => `${kind.kind} ${object.metadata.name}`).toSorted();
  return { type: 'Normal', reason: 'Pruned', note: `Deleted what is no longer desired: ${names.join(', ')}` };
}

async function pruneEach(
  found: readonly Leftover[],
  context: ReconcileContext,
  { held, pruned }: { readonly held: readonly Leftover[]; readonly pruned: Leftover[] },
): Promise<Leftover[]> {
  const left: Leftover[] = [...held];
  for (const leftover of found) {
    const { kind } = leftover;
    const isLater = isDeleting(context.resource) && left.some((above) => kindPosition(above.kind) > kindPosition(kind));
    if (isLater || (await pruneOne(leftover, context, pruned))) left.push(leftover);
  }
  return left;
}

/** @returns true if the object still exists and is ours */
async function pruneOne(leftover: Leftover, context: ReconcileContext, pruned: Leftover[]): Promise<boolean> {
  const { controller, resource, telemetry } = context;
  const { kind, object } = leftover;
  if (isPodOwner(leftover, { controller, resource: resource.metadata.name }))
    return !(await removePodOwner(object, context));
  const removal = removalOf(leftover, context);
  if (removal === undefined) return true;
  const remains = await sent(removal, context);
  if (removal.do !== 'delete') return false;
  telemetry.log.info(fieldsOf({ kind, key: keyOf(object.metadata) }, context), 'Pruned object');
  pruned.push(leftover);
  return remains !== undefined;
}

/** The request that makes an object one of the resource no longer. Undefined for an object that is being deleted. */
export function removalOf(
  { kind, object }: Leftover,
  { controller, resource }: Pick<ReconcileContext, 'controller' | 'resource'>,
): Delete | Patch | undefined {
  const isLeft = () => callUserCode(controller.name, 'retains', () => controller.retains?.(object, resource));
  if (kind.withoutOwnerReference && isLeft()) return untied(kind, object, resource);
  if (kind.shared && hasOtherOwners(object, resource)) return leavingOwner(kind, object, resource);
  return object.metadata.deletionTimestamp ? undefined : { do: 'delete', kind, live: object };
}

/**
 * Leaves an object without owner reference in place. It has no owner from now on, until a resource of this name desires
 * it again.
 */
function untied(kind: ObjectKind, live: LiveObject, resource: LiveObject): Patch {
  const { annotations, ownerReferences = [] } = live.metadata;
  const isTold = annotations?.[controlledByAnnotation] !== undefined;
  // An earlier version of the controller may have set an owner reference, and a Pod has its pod owner.
  const isTie = (one: OwnerReference) => one.uid === resource.metadata.uid || isPodOwnerReference(one);
  const ties = ownerReferences.flatMap((one, index) => (isTie(one) ? [index] : []));
  const paths = [
    ...(isTold ? [`/metadata/annotations/${pointerToken(controlledByAnnotation)}`] : []),
    ...ties.reverse().map((index) => `/metadata/ownerReferences/${index}`),
  ];
  const operations = paths.map((path) => ({ op: 'remove', path }) as const);
  return { do: 'patch', kind, live, operations, why: 'untie' };
}
