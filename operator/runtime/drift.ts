import { covered, isEmpty } from './covers.js';
import type { FieldPath } from './field-path.js';
import { isRecord, keyValue, mergeKeys } from './merge-keys.js';
import type { LiveObject, Manifest } from './object.js';

/** The fields in which an object does not state what is wanted of it, each as deep as it can be named. */
export function driftOf(live: LiveObject, wish: Manifest): FieldPath[] {
  return drifted(live, wish, [], '');
}

function drifted(live: unknown, wanted: unknown, path: FieldPath, parent: string): FieldPath[] {
  const field = path.at(-1) ?? '';
  if (covered(live, wanted, field, parent)) return [];
  if (isRecord(live) && isRecord(wanted)) {
    return Object.entries(wanted).flatMap(([key, value]) => {
      const there = Object.hasOwn(live, key) ? live[key] : undefined;
      if (there !== undefined) return drifted(there, value, [...path, key], field);
      return value === undefined || isEmpty(value) ? [] : [[...path, key]];
    });
  }
  const keys = Object.hasOwn(mergeKeys, field) ? mergeKeys[field] : undefined;
  if (!keys || !Array.isArray(live) || !Array.isArray(wanted) || !wanted.every(isRecord)) return [path];
  return wanted.flatMap((item) => {
    const twin = live.find((one) => isRecord(one) && keys.every((key) => keyValue(one, key) === keyValue(item, key)));
    const named = keys.flatMap((key) => (keyValue(item, key) === undefined ? [] : [[key, keyValue(item, key)]]));
    return drifted(twin, item, [...path, `k:${JSON.stringify(Object.fromEntries(named))}`], field);
  });
}
