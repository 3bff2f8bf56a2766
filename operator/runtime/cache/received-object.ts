import { deepFreeze, TooDeepError } from '../kubernetes/deep-freeze.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';
import { isPartial, partialOf } from '../kubernetes/partial-metadata.js';
import { managerPrefix } from '../kubernetes/well-known-names.js';

/** The annotation in which `kubectl apply` keeps a copy of the whole object. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

const abridged = new WeakSet<LiveObject>();

interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
}

interface Draft {
  managedFields?: readonly ManagedFieldsEntry[];
  annotations?: Readonly<Record<string, string>>;
}

/**
 * An object as the caches keep it: frozen, without what nobody here reads and what often is the larger half of it.
 * Of `managedFields` one fact is left, {@link isPosted}.
 * @param before what was kept of it until now: what is still the same is kept on
 */
export function receivedObject<T extends LiveObject>(object: T, before?: LiveObject): T {
  const metadata: Draft = { ...object.metadata };
  const posted = metadata.managedFields
    ?.filter(isPostedEntry)
    .map(({ manager, operation }) => ({ manager, operation }));
  if (posted?.length) metadata.managedFields = posted;
  else delete metadata.managedFields;
  if (metadata.annotations && Object.hasOwn(metadata.annotations, lastApplied)) {
    const { [lastApplied]: _, ...annotations } = metadata.annotations;
    metadata.annotations = annotations;
  }
  const kept = shallow({ ...object, metadata: metadata as T['metadata'] }, before);
  const isWhole = !isPartial(object) && !isAbridged(object) && object.metadata.annotations?.[lastApplied] === undefined;
  if (!isWhole) abridged.add(kept);
  return kept;
}

/** The same of what somebody goes by. @throws {TooDeepError} of what can be kept in part alone */
export function wholly(kind: ObjectKind, object: LiveObject, before?: LiveObject): LiveObject {
  const kept = receivedObject(object, before);
  if (isPartial(kept)) throw new TooDeepError(`${kind.kind} ${keyOf(object.metadata)}`);
  return kept;
}

/** What is nested too deep for whoever looks through it is there, and no more is kept of it. */
function shallow<T extends LiveObject>(object: T, before: LiveObject | undefined): T {
  try {
    return deepFreeze(object, before);
  } catch (error) {
    if (error instanceof TooDeepError) return deepFreeze(partialOf(object)) as T;
    throw error;
  }
}

/** True of an object of which something was left out that a write of the whole would take away. */
export function isAbridged(object: LiveObject): boolean {
  return abridged.has(object);
}

/** True while fields that `manager` sent with a create are still owned by that create, not by its applies. */
export function isPosted(object: LiveObject, manager: string): boolean {
  const { managedFields } = object.metadata as { managedFields?: readonly ManagedFieldsEntry[] };
  return managedFields?.some((entry) => entry.manager === manager && isPostedEntry(entry)) ?? false;
}

function isPostedEntry({ manager, operation, subresource }: ManagedFieldsEntry): boolean {
  return operation === 'Update' && !subresource && (manager?.startsWith(managerPrefix) ?? false);
}
