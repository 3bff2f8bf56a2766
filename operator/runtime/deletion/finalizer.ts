import type { Kept } from '../cache/stores.js';
import { ifServed } from '../context/kind-discovery.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { hasFinalizer, isEnding, isExternal, isSelected } from '../controller/finalization.js';
import { crossNamespaceKinds } from '../controller/owned-kinds.js';
import { hasLabels, selectorOf } from '../controller/reads.js';
import { callUserCode } from '../controller/user-code.js';
import { isApiError, newer, UnfinishedError } from '../kubernetes/errors.js';
import { pointerToken } from '../kubernetes/json.js';
import { apiVersionOf, type ObjectKind } from '../kubernetes/kinds.js';
import { isDeleting, keyOf, type LiveObject } from '../kubernetes/object.js';
import { truncate } from '../kubernetes/truncate.js';
import { controllerLabel, finalizerOf, managerOf } from '../kubernetes/well-known-names.js';
import {
  type Inventory,
  type InventoryEntry,
  inventoryAnnotation,
  inventoryEntriesOf,
  inventoryText,
  longestInventory,
  otherInventoryEntriesOf,
  placeOf,
  union,
} from '../ownership/inventory.js';
import { isOwnedBy, isTakenBy } from '../ownership/ownership-labels.js';
import { allPages } from '../ports/all-pages.js';
import { finalizerRemoval, overVersion, type PatchOperation } from '../ports/cluster.js';
import { recordEvent } from '../ports/event-recorder.js';
import type { Desired } from '../rendering/render.js';

/**
 * Protects a resource before any of its objects are created. The finalizer is present whenever there will be something
 * to clean up. The inventory lists every cross-namespace object that may exist, including those that are about to be
 * created. So whenever a process dies, the next one finds everything. Nothing is sent if this is already the case. An
 * exception is a cross-namespace object or one without owner reference that is to be created, or adopted from another
 * resource of this name. The cache may then show an outdated inventory or a resource that is gone, so the server is
 * asked.
 *
 * @returns the inventory
 */
export async function addFinalizer(desired: readonly Desired[], context: ReconcileContext): Promise<Inventory> {
  const { controller, resource, stores } = context;
  const before = listedInventory(context);
  const all = union(
    before,
    desired.filter(({ crossNamespace }) => crossNamespace),
  );
  const isHeld = hasFinalizer(resource, controller);
  const isNeeded = isToBeUndone(context, desired.length) || all.length > 0;
  const held = { recorded: all, version: resource.metadata.resourceVersion };
  const takes = desired.some(({ crossNamespace, kind, key }) => {
    const isUncollected = crossNamespace || kind.withoutOwnerReference; // if the resource is gone, nothing would delete the object
    return isUncollected && !isTakenBy(stores.of(kind).get(key), controller.kind, resource);
  });
  if (isNeeded && !(isHeld && isSame(before, all) && !takes)) return setFinalizer(true, context, held);
  return held;
}

/**
 * The entries of a resource's inventory, for kinds whose objects may be out of its reach. If there are more than we
 * ever list, another user wrote them. The caches then show which objects are ours.
 */
export function listedInventory({
  controller,
  resource,
  stores,
}: Pick<ReconcileContext, 'controller' | 'resource' | 'stores'>): readonly InventoryEntry[] {
  const listed = inventoryEntriesOf(resource, crossNamespaceKinds(controller));
  const isForged = (resource.metadata.annotations?.[inventoryAnnotation]?.length ?? 0) > longestInventory;
  return isForged ? listed.filter((one) => stores.claimed(one, resource) !== undefined) : listed;
}

/** How far the entries of an inventory were searched. */
export interface Searched {
  /** Entries whose object does not exist or is not ours. */
  readonly absent: readonly InventoryEntry[];
  /** False if some entries were not searched. */
  readonly isAll: boolean;
}

/**
 * Removes from the inventory the objects that are neither desired nor present any more, and removes the finalizer with
 * the last object to clean up. Runs only after everything was applied and the leftovers were deleted. If a part was
 * searched, it removes the absent objects, so that later reconciles reach the rest.
 * @throws {UnfinishedError} if a part was searched
 */
export async function trimInventory(
  { inventory: { recorded, version }, looked: { absent, isAll } }: { inventory: Inventory; looked: Searched },
  { desired, left }: { desired: readonly Desired[]; left: readonly Kept[] },
  context: ReconcileContext,
): Promise<void> {
  const { controller, resource } = context;
  if (!isAll) {
    const gone = new Set(absent.map(placeOf));
    const kept = recorded.filter((one) => !gone.has(placeOf(one)));
    await setFinalizer(true, context, { recorded: kept, version });
    throw new UnfinishedError(
      `the inventory listed ${gone.size} objects that do not exist, and lists ${kept.length} more`,
    );
  }
  // The next write removes the finalizer of a cleaned up resource, and the inventory with it.
  if (isEnding(controller, resource) && desired.length + left.length === 0) return;
  const there = left.map(({ kind, object }) => ({ kind, key: keyOf(object.metadata) }));
  const meant = new Set([...desired, ...there].map(placeOf));
  const kept = recorded.filter((one) => meant.has(placeOf(one)));
  const isNeeded = isToBeUndone(context, desired.length + left.length) || kept.length > 0;
  const isHeld = hasFinalizer(resource, controller);
  if (kept.length === recorded.length && (isNeeded || !isHeld)) return;
  const after = { recorded: kept, version };
  if (isNeeded) await setFinalizer(true, context, after);
  else await removeFinalizer(after, context);
}

/** @param objects the number of objects that exist or are desired */
function isToBeUndone({ controller, resource }: ReconcileContext, objects: number): boolean {
  if (!controller.finalizes) return false;
  if (objects > 0) return true;
  // The finalizer precedes the first call, so a resource without one has nothing outside.
  const isCared = isSelected(controller, resource) || hasFinalizer(resource, controller);
  return isCared && isExternal(controller, resource);
}

function isSame(a: readonly InventoryEntry[], b: readonly InventoryEntry[]): boolean {
  return a === b || inventoryText(a) === inventoryText(b);
}

/**
 * Removes the finalizer because nothing is left to clean up. Empty caches prove nothing: a dead watch has not reported
 * what another process created before this one led. So a controller that finalizes asks the server first. The inventory
 * was searched before, and the garbage collector deletes what owner references reach. Objects that others created for
 * the resource are deleted last.
 *
 * @throws {ApiError} Conflict if an object still exists. The next reconcile sees it
 */
export async function removeFinalizer(inventory: Inventory, context: ReconcileContext): Promise<void> {
  if (context.controller.finalizes) {
    await refuseUnheardOf(context);
    await clearRemnants(context);
  }
  await setFinalizer(false, context, inventory);
}

/**
 * Asks the server for objects that no watch has reported.
 * @throws {ApiError} Conflict if there is one. The next reconcile sees it
 */
async function refuseUnheardOf(context: ReconcileContext): Promise<void> {
  const { controller, resource, stores } = context;
  const near = controller.owns.filter(({ namespaced }) => namespaced || resource.metadata.namespace === undefined);
  const asked = near.map((kind) => ifServed(kind, context, () => owned(kind, context)));
  const found = (await Promise.all(asked)).flatMap((some) => some ?? []);
  for (const { kind, object } of found) stores.of(kind).saw(keyOf(object.metadata), object, undefined);
  const [first] = found;
  if (first) throw newer(`${first.kind.kind} ${first.object.metadata.name} exists, but no watch has reported it`);
}

/** The objects of a kind that a resource owns, by the server's answer. */
async function owned(kind: ObjectKind, { cluster, controller, resource, signal }: ReconcileContext): Promise<Kept[]> {
  const labelSelector = selectorOf({ [controllerLabel]: controller.name });
  const query = { namespace: resource.metadata.namespace, labelSelector, signal };
  const found: Kept[] = [];
  for await (const { items } of allPages({ cluster, kind }, query))
    for (const object of items) if (isOwnedBy(object, resource)) found.push({ kind, object });
  return found;
}

/**
 * Deletes what others created for a resource that is being deleted. No controller is left that would recreate it, and
 * the finalizer is still present: a process that is stopped in between starts here again. Each object is deleted only
 * if it is the same one that was read.
 *
 * @throws {ApiError} Conflict if an object has changed since. The next reconcile checks it
 */
async function clearRemnants(context: ReconcileContext): Promise<void> {
  const { cluster, controller, resource, telemetry, signal } = context;
  if (!isDeleting(resource)) return;
  const { namespace } = resource.metadata;
  const wanted = callUserCode(controller.name, 'foreignLeftovers', () => controller.foreignLeftovers?.(resource));
  for (const { kind, name, labels } of wanted ?? []) {
    const read = () => cluster.read(kind, { name, ...(namespace && { namespace }) }, { signal });
    const found = await ifServed(kind, context, read);
    if (!found || found.metadata.deletionTimestamp || !hasLabels(found, labels)) continue;
    const { uid, resourceVersion } = found.metadata;
    telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'delete' });
    await cluster.remove(kind, found.metadata, { uid, resourceVersion }, { signal });
  }
}

/**
 * Adds or removes the controller's finalizer. Finalizers of others stay. One apply writes both the finalizer and the
 * inventory, so that neither exists without the other.
 *
 * Guarantees: the finalizer is added before any object is created, so a resource is never gone before its objects. The
 * finalizer is removed, and an inventory is written, only in the version that was read. So an entry that another
 * process added since is not lost.
 * @param inventory the entries to list, and the version of the resource from which they follow
 * @returns the inventory, with the version that lists it now
 * @throws {ApiError} Conflict if the resource has changed since. The next reconcile sees it
 */
export async function setFinalizer(
  present: boolean,
  context: ReconcileContext,
  inventory: Inventory,
): Promise<Inventory> {
  const { cluster, controller, resource, stores, telemetry, signal } = context;
  const { kind, name } = controller;
  const { namespace, uid } = resource.metadata;
  const { recorded, version: resourceVersion } = inventory;
  const finalizers = present ? [finalizerOf(name)] : [];
  const text = inventoryText(recorded);
  const annotations = text === undefined ? {} : { annotations: { [inventoryAnnotation]: text } };
  const named = { name: resource.metadata.name, ...(namespace && { namespace }), uid };
  const mayLose = !present || controller.calls.length > 0 || crossNamespaceKinds(controller).length > 0;
  const metadata = { ...named, ...(mayLose && { resourceVersion }), finalizers, ...annotations };
  telemetry.wrote({ controller: name, kind: kind.kind, verb: 'finalizer' });
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  const send = () => cluster.apply(kind, object, { manager: managerOf(name), signal });
  const left = async () => orNothing(await orRenewed(send, context));
  const answer = await stores.of(kind).write(keyOf(resource.metadata), left, name);
  tellAbandoned(context);
  if (!answer) return inventory;
  const forged = staleIn(answer, { finalizer: present ? undefined : finalizerOf(name), inventory: text });
  const after = forged.length === 0 ? answer : await remove(forged, answer, context);
  return after ? { recorded, version: after.metadata.resourceVersion } : inventory;
}

/**
 * The response to the removal of the last finalizer has the version that was there before. The caches would ignore it.
 */
function orNothing(answer: LiveObject): LiveObject | undefined {
  const { deletionTimestamp, finalizers = [] } = answer.metadata;
  return deletionTimestamp !== undefined && finalizers.length === 0 ? undefined : answer;
}

/**
 * After a conflict, the resource is read, so that the next reconcile sees the newer version. A dead watch would not
 * report it.
 */
async function orRenewed(
  send: () => Promise<LiveObject>,
  { cluster, controller, resource, stores, signal }: ReconcileContext,
) {
  try {
    return await send();
  } catch (error) {
    if (!isApiError(error, 'Conflict')) throw error;
    const key = keyOf(resource.metadata);
    const store = stores.of(controller.kind);
    const before = store.get(key);
    store.saw(key, await cluster.read(controller.kind, resource.metadata, { signal }), before);
    throw error;
  }
}

async function remove(
  entries: readonly PatchOperation[],
  object: LiveObject,
  { cluster, controller: { kind, name }, stores, signal }: ReconcileContext,
): Promise<LiveObject | undefined> {
  const { metadata } = object;
  const patch = [overVersion(object), ...entries];
  const send = async () => orNothing(await cluster.patch(kind, metadata, patch, { manager: managerOf(name), signal }));
  return stores.of(kind).write(keyOf(metadata), send, name);
}

/**
 * Entries that others wrote in our name, for example by restoring a backup. An apply does not remove them. As the
 * operations that do.
 */
function staleIn(
  object: LiveObject,
  wanted: { finalizer: string | undefined; inventory: string | undefined },
): readonly PatchOperation[] {
  const isListed = wanted.inventory === undefined && object.metadata.annotations?.[inventoryAnnotation] !== undefined;
  const path = `/metadata/annotations/${pointerToken(inventoryAnnotation)}`;
  return [
    ...(isListed ? [{ op: 'remove', path } as const] : []),
    ...(wanted.finalizer === undefined ? [] : finalizerRemoval(object, wanted.finalizer)),
  ];
}

/** The number of names in a message for people. */
const most = 5;
/** Bytes of these names. Any user who may edit the resource can have written them. */
const longest = 600;

/**
 * Reports inventory entries of kinds that the controller no longer owns. It cannot delete these objects, because it
 * lost the permissions together with the kind.
 */
function tellAbandoned(context: ReconcileContext): void {
  const { controller, resource } = context;
  const all = otherInventoryEntriesOf(resource, crossNamespaceKinds(controller));
  if (all.length === 0) return;
  const more = all.length > most ? ` and ${all.length - most} more` : '';
  const names = truncate(all.slice(0, most).join(', '), longest);
  const note = `Left objects that ${controller.name} no longer owns: ${names}${more}; delete those that are not needed`;
  recordEvent({ type: 'Warning', reason: 'Orphaned', note }, context, resource);
}
