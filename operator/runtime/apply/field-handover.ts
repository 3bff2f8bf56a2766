import { readAgain, writeIfTold } from '../context/object-writes.js';
import type { ReconcileContext } from '../context/reconcile-context.js';
import { isRecord } from '../kubernetes/json.js';
import { type LiveObject, type Manifest, nameOf } from '../kubernetes/object.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import { overVersion, type PatchOperation } from '../ports/cluster.js';
import type { Desired } from '../rendering/render.js';

interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly apiVersion?: string;
  readonly fieldsV1?: unknown;
}

/**
 * Hands the fields that came with a create to the applies of the same manager. Server-side apply takes away only what
 * its own earlier applies stated; without this a field of the create that is no longer wanted would stay for ever.
 *
 * Takes two requests, so it is done only for an object that is about to state other fields than before, and either was
 * not applied yet or {@link leavesReplicas}.
 * @returns the object as it was looked at, but for that
 * @throws {ApiError} Conflict when the object has changed since it was looked at: the next pass tries again
 */
export async function handOverFields(
  desired: Desired,
  live: LiveObject,
  context: ReconcileContext,
): Promise<LiveObject> {
  const { kind, key, manifest } = desired;
  const { cluster, controller, signal } = context;
  const manager = managerOf(controller.name);
  const now = await readAgain(desired, live, context);
  const { managedFields } = now.metadata as { managedFields?: readonly ManagedFieldsEntry[] };
  const entries = handedOver(managedFields ?? [], manager, manifest);
  const patch: PatchOperation[] = [
    overVersion(now),
    // Add, not replace: what took the name since may have none, and must meet the conflict above.
    { op: 'add', path: '/metadata/managedFields', value: entries },
  ];
  const send = () => cluster.patch(kind, nameOf(key), patch, { manager, signal });
  return (await writeIfTold(kind, now, context, send)) ?? live;
}

/**
 * True when the number of replicas is stated no longer: an autoscaler gets it, or a person. An apply that gives the
 * field up would take its value away, and the default, 1, would end all pods but one.
 */
export function leavesReplicas(live: LiveObject, wish: Manifest): boolean {
  return statesReplicas(live) && !statesReplicas(wish);
}

function statesReplicas(object: Manifest): boolean {
  const { spec } = object as { readonly spec?: unknown };
  return isRecord(spec) && spec['replicas'] !== undefined;
}

/**
 * The entries, those of the manager's creates and applies made one: an apply's. A number of replicas that is not wanted
 * is left to whoever comes: a field that nobody owns keeps its value.
 */
function handedOver(entries: readonly ManagedFieldsEntry[], manager: string, wish: Manifest): ManagedFieldsEntry[] {
  const isOurs = (entry: ManagedFieldsEntry) => entry.manager === manager && !entry.subresource;
  const ours = entries.filter(isOurs);
  const latest = ours.find(({ operation }) => operation === 'Apply') ?? ours[0];
  const all = ours.map((entry) => entry.fieldsV1).reduce(union, {});
  const fieldsV1 = statesReplicas(wish) ? all : withoutReplicas(all);
  return [...entries.filter((entry) => !isOurs(entry)), { ...latest, operation: 'Apply', fieldsV1 }];
}

function withoutReplicas(fields: unknown): unknown {
  if (!isRecord(fields) || !isRecord(fields['f:spec'])) return fields;
  const { 'f:replicas': _, ...spec } = fields['f:spec'];
  return { ...fields, 'f:spec': spec };
}

/** Two sets of fields, as nested records whose leaves are empty. */
function union(a: unknown, b: unknown): unknown {
  if (!isRecord(a) || !isRecord(b)) return b ?? a;
  const both = { ...a };
  for (const [field, below] of Object.entries(b)) both[field] = union(a[field], below);
  return both;
}
