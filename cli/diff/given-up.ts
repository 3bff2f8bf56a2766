import type { LiveObject, Manifest } from '../../operator/runtime/object.js';
import { documentOf, leavesOf, separator } from '../../operator/testing/field-leaves.js';
import { type ManagedFieldsEntry, pathsIn } from '../../operator/testing/managed-fields.js';

/** Who owns which fields of an object. */
export type Entries = readonly ManagedFieldsEntry[];

/**
 * The answer to an apply that was tried, without the fields that a real one would have taken away. The runtime hands
 * the fields of a create to its applies first, which cannot be tried in one request with the apply itself.
 */
export function withoutGivenUp(
  answer: LiveObject,
  { entries, wish, manager }: { readonly entries: Entries; readonly wish: Manifest; readonly manager: string },
): LiveObject {
  const isOurs = (entry: ManagedFieldsEntry) => entry.manager === manager && !entry.subresource;
  const pathsOf = (some: Entries) => some.flatMap(({ fieldsV1 }) => pathsIn(fieldsV1));
  const kept = new Set([...pathsOf(entries.filter((entry) => !isOurs(entry))), ...leavesOf({ ...wish }).keys()]);
  const gone = pathsOf(entries.filter(isOurs)).filter((path) => !isKept(path, kept));
  const leaves = [...leavesOf({ ...answer })].filter(([leaf]) => !gone.some((path) => isWithin(leaf, path)));
  return documentOf(new Map(leaves)) as object as LiveObject;
}

function isKept(path: string, kept: ReadonlySet<string>): boolean {
  return kept.has(path) || [...kept].some((one) => isWithin(one, path));
}

function isWithin(leaf: string, path: string): boolean {
  return leaf === path || leaf.startsWith(`${path}${separator}`);
}
