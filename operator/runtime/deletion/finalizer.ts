import type { ReconcileContext } from '../context/reconcile-context.js';
import { crossNamespaceKinds } from '../controller/owned-kinds.js';
import { isApiError } from '../kubernetes/errors.js';
import { pointerToken } from '../kubernetes/json.js';
import { apiVersionOf } from '../kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';
import { truncate } from '../kubernetes/truncate.js';
import { finalizerOf, managerOf } from '../kubernetes/well-known-names.js';
import { type Inventory, inventoryAnnotation, inventoryText, otherInventoryEntriesOf } from '../ownership/inventory.js';
import { finalizerRemoval, overVersion, type PatchOperation } from '../ports/cluster.js';
import { recordEvent } from '../ports/event-recorder.js';

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
