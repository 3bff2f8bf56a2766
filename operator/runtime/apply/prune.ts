import { allInParallel } from '../concurrency/parallel.js';
import { ifServed } from '../context/kind-discovery.js';
import { write } from '../context/object-writes.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { callUserCode } from '../controller/user-code.js';
import { pointerToken } from '../kubernetes/json.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import { controlledByAnnotation, isDeleting, keyOf, type LiveObject, nameOf } from '../kubernetes/object.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import { type InventoryEntry, placeOf } from '../ownership/inventory.js';
import { isClaimedBy } from '../ownership/ownership-labels.js';
import { overVersion, type PatchOperation } from '../ports/cluster.js';
import { kindPosition } from '../rendering/waves.js';
import { hasOtherOwners, leave } from './shared-objects.js';

/** An object of a resource that is not wanted any more. */
export interface Leftover {
  readonly kind: ObjectKind;
  readonly object: LiveObject;
}

/** What a resource owns and no longer wants, last made first. */
export function leftovers(owned: readonly Leftover[], desired: readonly InventoryEntry[]): Leftover[] {
  const wanted = new Set(desired.map(placeOf));
  return owned
    .filter(({ kind, object }) => !wanted.has(placeOf({ kind, key: keyOf(object.metadata) })))
    .sort((a, b) => kindPosition(b.kind) - kindPosition(a.kind));
}

/** What came of looking for what is recorded. */
export interface Looked {
  readonly found: readonly Leftover[];
  /** What is not there, or not ours. */
  readonly absent: readonly InventoryEntry[];
  /** False when some of it was not looked for. */
  readonly isAll: boolean;
}

/** Somebody can have listed any number of what never was. */
const maxMissesByDefault = 250;

/**
 * Of what is recorded and no watch showed as ours, that which is there and ours: somebody took its label off, or the
 * watch has not told of it. A read for each, so only for what is to go, and only so many in one pass.
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
      reads = 0; // the others would hardly do better
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
 * Removes them, each only if it still is the very object in the very state that was found to be ours. For a resource that
 * is being deleted, what others build upon is asked to go only when those are gone: a volume outlives its pods. What its
 * controller leaves stays, and is nobody's.
 * @returns those that are still there, on their way out
 */
export async function prune(found: readonly Leftover[], context: ReconcileContext): Promise<Leftover[]> {
  const { cluster, controller, resource, stores, telemetry, signal } = context;
  const isLeft = (object: LiveObject) =>
    callUserCode(controller.name, 'retains', () => controller.retains?.(object, resource));
  const left: Leftover[] = [];
  for (const leftover of found) {
    const { kind, object } = leftover;
    const { metadata } = object;
    if (isDeleting(resource) && left.some((above) => kindPosition(above.kind) > kindPosition(kind))) {
      left.push(leftover);
      continue;
    }
    if (kind.withoutOwnerReference && isLeft(object)) {
      await leaveBehind(kind, object, context);
      continue;
    }
    if (kind.shared && hasOtherOwners(object, resource)) {
      await leave(kind, object, context);
      continue;
    }
    const key = keyOf(metadata);
    const remove = () => {
      telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'delete' });
      const seen = { uid: metadata.uid, resourceVersion: metadata.resourceVersion };
      return cluster.remove(kind, metadata, seen, { signal });
    };
    const store = stores.of(kind);
    // What no watch shows is kept out of the cache: nothing would take it out again.
    const remains =
      metadata.deletionTimestamp || (await (store.get(key) ? write({ kind, key }, context, remove) : remove()));
    if (remains) left.push(leftover);
  }
  return left;
}

/**
 * Leaves an untied object where it is: it is nobody's from now on, until a resource of this name wants it again.
 * @throws {ApiError} Conflict when the object has changed since, which the next look sees
 */
async function leaveBehind(kind: ObjectKind, live: LiveObject, context: ReconcileContext): Promise<void> {
  const { cluster, controller, resource, telemetry, signal } = context;
  const { metadata } = live;
  const { annotations, ownerReferences = [] } = metadata;
  const isTold = annotations?.[controlledByAnnotation] !== undefined;
  // An earlier version of the controller may have tied it.
  const ties = ownerReferences.flatMap(({ uid }, index) => (uid === resource.metadata.uid ? [index] : []));
  const paths = [
    ...(isTold ? [`/metadata/annotations/${pointerToken(controlledByAnnotation)}`] : []),
    ...ties.reverse().map((index) => `/metadata/ownerReferences/${index}`),
  ];
  telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'apply' });
  const patch: readonly PatchOperation[] = [
    overVersion(live),
    ...paths.map((path) => ({ op: 'remove', path }) as const),
  ];
  await write({ kind, key: keyOf(metadata) }, context, () =>
    cluster.patch(kind, metadata, patch, { manager: managerOf(controller.name), signal }),
  );
}
