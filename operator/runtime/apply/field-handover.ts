import type { ReconcileContext } from '../context/reconcile-context.js';
import { isRecord } from '../kubernetes/json.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import type { Change, Patch } from './decision.js';

interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly apiVersion?: string;
  readonly fieldsV1?: unknown;
}

/**
 * Hands the fields of a create over to the applies of the same manager. Server-side apply removes only fields that its
 * own earlier applies stated. Without the handover, a field of the create that is no longer desired would stay forever.
 *
 * It takes two requests. So it runs only for an object whose set of fields is about to change, if the object was not
 * applied yet or {@link leavesReplicas}.
 * @param now the object as it is, with its complete managed fields
 */
export function handover(change: Change, now: LiveObject, { controller }: Pick<ReconcileContext, 'controller'>): Patch {
  const { kind, manifest } = change.desired;
  const { managedFields } = now.metadata as { managedFields?: readonly ManagedFieldsEntry[] };
  const value = handedOver(managedFields ?? [], managerOf(controller.name), manifest);
  // Add, not replace: a new object of this name may have no entries, and must meet the conflict of versions.
  const operations = [{ op: 'add', path: '/metadata/managedFields', value }] as const;
  return { do: 'patch', kind, live: now, operations, why: 'handover', change };
}

/**
 * True if the number of replicas is no longer stated, because an autoscaler or a person takes it over. An apply that
 * gives the field up would remove its value. The default of 1 would then delete all pods but one.
 */
export function leavesReplicas(live: LiveObject, wish: Manifest): boolean {
  return statesReplicas(live) && !statesReplicas(wish);
}

function statesReplicas(object: Manifest): boolean {
  const { spec } = object as { readonly spec?: unknown };
  return isRecord(spec) && spec['replicas'] !== undefined;
}

/**
 * The entries, with those of the manager's creates and applies merged into one apply. A number of replicas that is no
 * longer desired loses its owner: a field without an owner keeps its value.
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

/** Merges two sets of fields, as nested records with empty leaves. */
function union(a: unknown, b: unknown): unknown {
  if (!isRecord(a) || !isRecord(b)) return b ?? a;
  const both = { ...a };
  for (const [field, below] of Object.entries(b)) both[field] = union(a[field], below);
  return both;
}
