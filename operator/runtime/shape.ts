import { isRecord, keyValue, mergeKeys } from './merge-keys.js';

/**
 * Which fields a manifest states, whatever their values: two manifests of one shape differ in no field. Items of lists
 * that are merged by key count as fields named by their keys; any other list counts with its content, because what
 * keys it may have is not known.
 */
export function shapeOf(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return shapeOfList(value, field);
  if (!isRecord(value)) return null;
  return Object.entries(value).map(([key, part]) => [key, shapeOf(part, key)]);
}

function shapeOfList(list: readonly unknown[], field: string): unknown {
  const keys = Object.hasOwn(mergeKeys, field) ? mergeKeys[field] : undefined;
  if (!keys || !list.every(isRecord)) return list;
  return list.map((item) => [keys.map((key) => keyValue(item, key)), shapeOf(item)]);
}
