import { isRecord } from '../../runtime/kubernetes/json.js';
import { separator } from './field-leaves.js';

/** The fields of an object that a field manager owns by one kind of write. */
export interface ManagedFieldsEntry {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly subresource?: 'status';
  readonly apiVersion: string;
  readonly fieldsType: 'FieldsV1';
  readonly fieldsV1: Fields;
}

export interface Fields {
  readonly [segment: string]: Fields;
}

/** The paths of a set of fields. */
export function pathsIn(fields: Fields, above: readonly string[] = []): string[] {
  return Object.entries(fields).flatMap(([segment, below]) => {
    const path = [...above, segment];
    return Object.keys(below).length === 0 ? [path.join(separator)] : pathsIn(below, path);
  });
}

/** The set of fields with these paths. */
export function fieldsAt(paths: Iterable<string>): Fields {
  const root: Record<string, unknown> = {};
  for (const path of paths) {
    let fields = root;
    for (const segment of path.split(separator)) {
      const below = fields[segment];
      const next: Record<string, unknown> = isRecord(below) ? below : {};
      fields[segment] = next;
      fields = next;
    }
  }
  return root as Fields;
}

/** The entries without these paths. Entries that own nothing are removed. */
export function without(entries: readonly ManagedFieldsEntry[], paths: ReadonlySet<string>): ManagedFieldsEntry[] {
  return entries.flatMap((entry) => {
    const kept = pathsIn(entry.fieldsV1).filter((path) => !paths.has(path));
    return kept.length === 0 ? [] : [{ ...entry, fieldsV1: fieldsAt(kept) }];
  });
}
