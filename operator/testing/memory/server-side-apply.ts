import { isDeepStrictEqual } from 'node:util';
import { strategyOf } from '../../runtime/fields/merge-strategies.js';
import type { LiveObject, Manifest } from '../../runtime/kubernetes/object.js';
import { documentOf, type Leaves, leavesOf, separator } from './field-leaves.js';
import { fieldsAt, type ManagedFieldsEntry, pathsIn, without } from './managed-fields.js';
import { stored } from './stored-values.js';

/** The content and the managed fields of an object, without fields that only the server sets. */
export interface Draft {
  readonly leaves: Leaves;
  readonly managedFields: readonly ManagedFieldsEntry[];
}

/** The field manager of a write, and the half of the object that it writes. */
export interface Writer {
  readonly manager: string;
  readonly subresource?: 'status' | undefined;
}

type Document = Readonly<Record<string, unknown>>;

/** The leaves of the half of an object that a write affects, its status or all other fields, as the server stores them. */
function contentOf(object: Manifest, subresource: 'status' | undefined): Map<string, unknown> {
  const strategy = strategyOf(object);
  const leaves = leavesOf(stored(halfOf(object, subresource), strategy) as Document, strategy);
  leaves.delete(''); // of an empty document
  return leaves;
}

function halfOf(object: Manifest, subresource: 'status' | undefined): Document {
  const { apiVersion, kind, metadata, status, ...rest } = object as Manifest & Document;
  if (subresource === 'status') return status === undefined ? {} : { status };
  const { labels, annotations, ownerReferences, finalizers } = metadata;
  const stated = Object.entries({ labels, annotations, ownerReferences, finalizers }).filter(([, value]) => value);
  return { ...(stated.length > 0 && { metadata: Object.fromEntries(stated) }), ...rest };
}

/** The paths of the fields that a manifest states, also of those that the server omits. */
export function statedPaths(wish: Manifest, subresource: 'status' | undefined): ReadonlySet<string> {
  const paths = new Set(leavesOf(halfOf(wish, subresource), strategyOf(wish)).keys());
  paths.delete('');
  return paths;
}

/** Both halves of an object. */
export function draftOf(object: LiveObject): Draft {
  const { managedFields } = object.metadata as { managedFields?: readonly ManagedFieldsEntry[] };
  const leaves = new Map([...contentOf(object, undefined), ...contentOf(object, 'status')]);
  return { leaves, managedFields: managedFields ?? [] };
}

export function contentFrom({ leaves }: Draft): Document {
  return documentOf(leaves);
}

/**
 * A forced server-side apply. The manager owns the fields of the wish. Fields that it no longer includes are removed,
 * unless another manager owns them too. Other managers lose the ownership of fields that get a new value.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/
 */
export function applied(before: Draft, wish: Manifest, writer: Writer): Draft {
  const wished = statedPaths(wish, writer.subresource);
  const values = contentOf(wish, writer.subresource);
  const isOurs = (entry: ManagedFieldsEntry) => isOf(entry, writer, 'Apply');
  const others = before.managedFields.filter((entry) => !isOurs(entry));
  const owned = before.managedFields.filter(isOurs).flatMap(({ fieldsV1 }) => pathsIn(fieldsV1));
  const shared = new Set(others.flatMap(({ fieldsV1 }) => pathsIn(fieldsV1)));
  const leaves = new Map(before.leaves);
  const gone = owned.filter((path) => !wished.has(path) && !shared.has(path) && leaves.delete(path));
  const taken = [...wished].filter(
    (path) => shared.has(path) && !isDeepStrictEqual(leaves.get(path), values.get(path)),
  );
  for (const path of wished) if (!values.has(path)) leaves.delete(path); // the others keep their place
  for (const [path, value] of values) leaves.set(path, value);
  if (gone.length > 0) dropNameless(leaves);
  return { leaves, managedFields: [...without(others, new Set(taken)), ...entryOf(wish, writer, 'Apply', wished)] };
}

/** Any other write. The manager becomes the only owner of the fields that it changed. */
export function updated(before: Draft, after: Manifest, writer: Writer): Draft {
  const half = contentOf(after, writer.subresource);
  const isInHalf = (path: string) => path.startsWith(`f:status${separator}`) === (writer.subresource === 'status');
  const rest = [...before.leaves].filter(([path]) => !isInHalf(path));
  const changed = [...half].filter(([path, value]) => !isDeepStrictEqual(before.leaves.get(path), value));
  const gone = [...before.leaves.keys()].filter((path) => isInHalf(path) && !half.has(path));
  const moved = new Set([...changed.map(([path]) => path), ...gone]);
  const isOurs = (entry: ManagedFieldsEntry) => isOf(entry, writer, 'Update');
  const kept = without(before.managedFields, moved);
  const had = kept.filter(isOurs).flatMap(({ fieldsV1 }) => pathsIn(fieldsV1));
  const own = entryOf(after, writer, 'Update', [...had, ...changed.map(([path]) => path)]);
  return { leaves: new Map([...half, ...rest]), managedFields: [...kept.filter((entry) => !isOurs(entry)), ...own] };
}

function isOf(entry: ManagedFieldsEntry, { manager, subresource }: Writer, operation: 'Apply' | 'Update'): boolean {
  return entry.manager === manager && entry.operation === operation && entry.subresource === subresource;
}

function entryOf(
  { apiVersion }: Manifest,
  { manager, subresource }: Writer,
  operation: 'Apply' | 'Update',
  paths: Iterable<string>,
): ManagedFieldsEntry[] {
  const fieldsV1 = fieldsAt(paths);
  if (Object.keys(fieldsV1).length === 0) return [];
  return [{ manager, operation, ...(subresource && { subresource }), apiVersion, fieldsType: 'FieldsV1', fieldsV1 }];
}

/** Removes the items of lists that have lost their keys, with all their fields. */
function dropNameless(leaves: Map<string, unknown>): void {
  for (const path of leaves.keys()) {
    const segments = path.split(separator);
    const isNameless = segments.some((segment, index) => {
      if (!segment.startsWith('k:')) return false;
      const item = segments.slice(0, index + 1).join(separator);
      const keys = Object.keys(JSON.parse(segment.slice(2)) as object);
      return !keys.some((key) => leaves.has(`${item}${separator}f:${key}`));
    });
    if (isNameless) leaves.delete(path);
  }
}
