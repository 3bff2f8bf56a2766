import type { Delete, Patch } from '../apply/decision.js';
import { isObserved } from '../apply/field-conflict.js';
import { sent } from '../apply/send.js';
import { hasOtherOwners, leavingOwner } from '../apply/shared-objects.js';
import type { Kept } from '../cache/stores.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { isProtected, isSelected } from '../controller/finalization.js';
import { reportsElsewhere } from '../controller/owned-status.js';
import { callUserCode } from '../controller/user-code.js';
import { isApiError, isRefusal } from '../kubernetes/errors.js';
import { pointerToken } from '../kubernetes/json.js';
import { type ObjectKind, Pod } from '../kubernetes/kinds.js';
import {
  controlledByAnnotation,
  isDeleting,
  isPodOwnerReference,
  keyOf,
  type LiveObject,
  type OwnerReference,
} from '../kubernetes/object.js';
import { listWithin } from '../kubernetes/truncate.js';
import { finalizerOf } from '../kubernetes/well-known-names.js';
import { isPodOwner, podOwnerIn, podOwnerKind, podOwnerReference, searchIn } from '../ownership/pod-owner.js';
import { allPages } from '../ports/all-pages.js';
import { finalizerRemoval } from '../ports/cluster.js';
import { type ResourceEvent, recordEvent } from '../ports/event-recorder.js';
import { fieldsOf } from '../rendering/render.js';
import { kindPosition } from '../rendering/waves.js';
import type { Held } from '../status/assess.js';
import { trimInventory } from './finalizer.js';
import { type Remains, remainsOf, type Wanted } from './remains.js';

/**
 * Deletes what a resource owns and no longer desires, in all namespaces, except for what is to be kept. The inventory lists
 * what is left.
 * @param wanted as for {@link remainsOf}. Without an inventory, that of the resource stays as it is
 * @returns the objects that still exist, and which of them were kept
 * @throws {UnfinishedError} if the inventory lists more than one reconcile searches. The next one continues
 */
export async function cleanUp(
  context: ReconcileContext,
  wanted: Wanted,
): Promise<{ readonly left: readonly Kept[]; readonly held: readonly Held[] }> {
  const remains = await remainsOf(context, wanted);
  for (const one of remains.held) if (!isPodOwner(one, nameIn(context))) await unprotect(one, context);
  const left = await prune(remains, context);
  const { desired = [] } = wanted;
  if (!remains.looked.isAll || wanted.inventory) await trimInventory(remains, { desired, left }, context);
  return { left, held: remains.held };
}

/**
 * Deletes objects, each only if it is the same object in the same state that was found to be ours. For a resource that
 * is being deleted, an object that others depend on is deleted only after those are gone: for example, a volume after
 * its pods. Objects that the controller retains stay without an owner. One event lists the objects, unless the resource is
 * being deleted, which explains them.
 * @returns the objects that still exist, those that stay among them
 */
async function prune({ loose, held }: Remains, context: ReconcileContext): Promise<Kept[]> {
  const pruned: Kept[] = [];
  try {
    return await pruneEach(loose, context, { held, pruned });
  } finally {
    if (pruned.length > 0 && !isDeleting(context.resource))
      recordEvent(prunedEvent(pruned, context), context, context.resource);
  }
}

/** Bytes of the names in a note, which leave room for the words around them. */
const longestList = 800;

function prunedEvent(pruned: readonly Kept[], context: ReconcileContext): ResourceEvent {
  const note = `Deleted what is no longer desired ${whyUndesired(context)}: ${namesOf(pruned)}`;
  return { type: 'Normal', reason: 'Pruned', note };
}

function namesOf(pruned: readonly Kept[]): string {
  const names = pruned.map(({ kind, object }) => `${kind.kind} ${object.metadata.name}`);
  return listWithin(names.toSorted(), longestList);
}

/** What has changed: the spec, or only what the controller observes. */
function whyUndesired(context: ReconcileContext): string {
  const { controller, resource } = context;
  const owner = `${controller.kind.kind} ${resource.metadata.name}`;
  if (!isSelected(controller, resource)) return `because controller ${controller.name} does not select ${owner}`;
  if (reportsElsewhere(controller)) return `by ${owner}`;
  const { generation = 0 } = resource.metadata;
  return isObserved(context) ? `in the present state of ${owner}` : `by generation ${generation} of ${owner}`;
}

async function pruneEach(
  found: readonly Kept[],
  context: ReconcileContext,
  { held, pruned }: { readonly held: readonly Kept[]; readonly pruned: Kept[] },
): Promise<Kept[]> {
  const left: Kept[] = [...held];
  for (const leftover of found) {
    const { kind } = leftover;
    const isLater = isDeleting(context.resource) && left.some((above) => kindPosition(above.kind) > kindPosition(kind));
    if (isLater || (await pruneOne(leftover, context, pruned))) left.push(leftover);
  }
  return left;
}

/** @returns true if the object still exists and is ours */
async function pruneOne(leftover: Kept, context: ReconcileContext, pruned: Kept[]): Promise<boolean> {
  const { telemetry } = context;
  const { kind, object } = leftover;
  if (isPodOwner(leftover, nameIn(context))) return !(await removePodOwner(object, context));
  // What was changed is deleted in the next reconcile, in the version that it has then.
  const after = await unprotect(leftover, context);
  if (after) return after.isThere;
  const removal = removalOf(leftover, context);
  if (removal === undefined) return true;
  const remains = await sent(removal, context);
  if (removal.do !== 'delete') return false;
  telemetry.log.info(fieldsOf({ kind, key: keyOf(object.metadata) }, context), 'Pruned object');
  pruned.push(leftover);
  return remains !== undefined;
}

const nameIn = ({ controller, resource }: ReconcileContext) => ({ controller, resource: resource.metadata.name });

/**
 * Removes our finalizer from an object that needs it no longer.
 * @returns undefined if nothing was to be done
 */
async function unprotect({ kind, object: live }: Kept, context: ReconcileContext) {
  const { controller, resource } = context;
  if (!controller.protects || isProtected(live, controller, resource)) return undefined;
  const operations = finalizerRemoval(live, finalizerOf(controller.name));
  if (operations.length === 0) return undefined;
  const left = await sent({ do: 'patch', kind, live, operations, why: 'release' }, context);
  return { isThere: left !== undefined };
}

/** The request that makes an object one of the resource no longer. Undefined for an object that is being deleted. */
export function removalOf(
  { kind, object }: Kept,
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

/**
 * Deletes a pod owner that is no longer desired. If another one has taken its place, the Pods that still name it are
 * moved first, because the garbage collector deletes a Pod whose only owner is gone. The server lists them: the caches
 * do not show a Pod without our label.
 * @returns true if it is gone
 * @throws {ApiError} Conflict if it, or one of the Pods, has changed since. The next reconcile sees it
 */
async function removePodOwner(live: LiveObject, context: ReconcileContext): Promise<boolean> {
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
 * Removes our finalizer from the objects of a resource that is released without the rest of its cleanup. They stay, pod owners
 * with their Pods among them. A refusal does not block the release.
 */
export async function releaseObjects(context: ReconcileContext): Promise<void> {
  const { controller, resource, stores } = context;
  for (const one of stores.ownedBy(resource, controller))
    try {
      if (isPodOwner(one, nameIn(context))) await release(one.object, context);
      else await unprotect(one, context);
    } catch (error) {
      if (!isRefusal(error) && !isApiError(error, 'NotFound')) throw error;
    }
}
