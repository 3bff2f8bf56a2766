import { covered, isEmpty } from './covers.js';
import type { FieldPath } from './field-path.js';
import { isRecord, itemStep, keysOf, Twins } from './merge-keys.js';
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
  const keys = Array.isArray(wanted) ? keysOf(field, wanted) : undefined;
  if (!keys || !Array.isArray(live) || !Array.isArray(wanted)) return [path];
  const twins = new Twins(live, keys);
  return wanted.flatMap((item) => drifted(live[twins.indexOf(item)], item, [...path, itemStep(item, keys)], field));
}
