import { deepFreeze, TooDeepError } from '../kubernetes/deep-freeze.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import { copyWriter, noteWriter } from '../kubernetes/last-writer.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';
import { isPartial, partialOf } from '../kubernetes/partial-metadata.js';
import { managerPrefix } from '../kubernetes/well-known-names.js';

/** The annotation in which `kubectl apply` stores a copy of the whole object. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

const abridged = new WeakSet<LiveObject>();

interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
}

interface Draft {
  managedFields?: readonly ManagedFieldsEntry[];
  annotations?: Readonly<Record<string, string>>;
}

/**
 * An object as the caches keep it: frozen, and without the parts that no controller reads, which are often the larger
 * half. Of `managedFields` only {@link isPosted} and the last writer remain.
 * @param before the cached object. Unchanged parts of it are reused
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
  copyWriter(object, kept);
  noteWriter(kept, (object.metadata as Draft).managedFields ?? []);
  return kept;
}

/**
 * The same for an object that a controller depends on. @throws {TooDeepError} if the object can be kept only in part
 */
export function wholly(kind: ObjectKind, object: LiveObject, before?: LiveObject): LiveObject {
  const kept = receivedObject(object, before);
  if (isPartial(kept)) throw new TooDeepError(`${kind.kind} ${keyOf(object.metadata)}`);
  return kept;
}

/** An object that is nested too deep to be walked is kept as its metadata only. */
function shallow<T extends LiveObject>(object: T, before: LiveObject | undefined): T {
  try {
    return deepFreeze(object, before);
  } catch (error) {
    if (error instanceof TooDeepError) return deepFreeze(partialOf(object)) as T;
    throw error;
  }
}

/** True if parts of the object were left out that a write of the whole object would remove. */
export function isAbridged(object: LiveObject): boolean {
  return abridged.has(object);
}

/** True while a create by `manager`, and not one of its applies, owns fields of the object. */
export function isPosted(object: LiveObject, manager: string): boolean {
  const { managedFields } = object.metadata as { managedFields?: readonly ManagedFieldsEntry[] };
  return managedFields?.some((entry) => entry.manager === manager && isPostedEntry(entry)) ?? false;
}

function isPostedEntry({ manager, operation, subresource }: ManagedFieldsEntry): boolean {
  return operation === 'Update' && !subresource && (manager?.startsWith(managerPrefix) ?? false);
}
