import type { ReconcileContext } from '../context/reconcile-context.js';
import { crossNamespaceKinds } from '../controller/owned-kinds.js';
import { isApiError } from '../kubernetes/errors.js';
import { pointerToken } from '../kubernetes/json.js';
import { apiVersionOf } from '../kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';
import { truncate } from '../kubernetes/truncate.js';
import { finalizerOf, managerOf } from '../kubernetes/well-known-names.js';
import { type Inventory, inventoryAnnotation, inventoryText, otherInventoryEntriesOf } from '../ownership/inventory.js';
import { overVersion } from '../ports/cluster.js';
import { recordEvent } from '../ports/event-recorder.js';

/**
 * Puts the controller's finalizer on, or takes it off; those of others stay. The inventory travels with it: one apply
 * states both, so that neither is there without the other.
 *
 * Guarantees: it is there before anything is made, so a resource never goes before what it stands for. It goes, and an
 * inventory is written, over the very version that was looked at: what another process recorded since is not lost.
 * @param inventory what to list, and the version of the resource from which that follows
 * @returns the inventory, with the version that lists it now
 * @throws {ApiError} Conflict when the resource has changed since, which the next look sees
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
  const mayLose = !present || crossNamespaceKinds(controller).length > 0;
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

/** Of what went with the finalizer the answer is the last, and has the version that was there: the caches would keep what they have. */
function orNothing(answer: LiveObject): LiveObject | undefined {
  const { deletionTimestamp, finalizers = [] } = answer.metadata;
  return deletionTimestamp !== undefined && finalizers.length === 0 ? undefined : answer;
}

/** Who met a newer version has it read, so that the next look sees it: a watch that died tells of none. */
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
  paths: readonly string[],
  object: LiveObject,
  { cluster, controller: { kind, name }, stores, signal }: ReconcileContext,
): Promise<LiveObject | undefined> {
  const { metadata } = object;
  const patch = [overVersion(object), ...paths.map((path) => ({ op: 'remove', path }) as const)];
  const send = async () => orNothing(await cluster.patch(kind, metadata, patch, { manager: managerOf(name), signal }));
  return stores.of(kind).write(keyOf(metadata), send, name);
}

/** What others wrote in our name (a backup that was restored does), which an apply does not take away. As paths. */
function staleIn(
  { metadata: { annotations, finalizers = [] } }: LiveObject,
  wanted: { finalizer: string | undefined; inventory: string | undefined },
): string[] {
  const index = wanted.finalizer === undefined ? -1 : finalizers.indexOf(wanted.finalizer);
  const isListed = wanted.inventory === undefined && annotations?.[inventoryAnnotation] !== undefined;
  return [
    ...(isListed ? [`/metadata/annotations/${pointerToken(inventoryAnnotation)}`] : []),
    ...(index < 0 ? [] : [`/metadata/finalizers/${index}`]),
  ];
}

/** Names in a sentence for people. */
const most = 5;
/** Bytes of these: whoever may edit the resource can have written them. */
const longest = 600;

/**
 * Tells of what the inventory of a resource lists of kinds that its controller does not own any more, and that nobody takes
 * away therefore: the rights to do so went with the kind.
 */
function tellAbandoned(context: ReconcileContext): void {
  const { controller, resource } = context;
  const all = otherInventoryEntriesOf(resource, crossNamespaceKinds(controller));
  if (all.length === 0) return;
  const more = all.length > most ? ` and ${all.length - most} more` : '';
  const names = truncate(all.slice(0, most).join(', '), longest);
  const note = `left as they are, since ${controller.name} does not own such objects any more: ${names}${more}; delete what is not needed`;
  recordEvent({ type: 'Warning', reason: 'Orphaned', note }, context, resource);
}
