import { isRecord, keysOf, keyValue } from './merge-keys.js';

/**
 * Which fields a manifest states, whatever their values: two manifests of one shape differ in no field. Items of lists
 * that are merged by key count as fields named by their keys; any other list counts with its content, because what
 * keys it may have is not known.
 */
export function shapeOf(value: unknown, field = ''): string {
  if (Array.isArray(value)) return shapeOfList(value, field);
  if (!isRecord(value)) return '';
  let shape = '{';
  // With its length, so that no key can look like another and what comes after it.
  for (const key in value) shape += `${key.length} ${key}${shapeOf(value[key], key)}`;
  return `${shape}}`;
}

function shapeOfList(list: readonly unknown[], field: string): string {
  const keys = keysOf(field, list);
  if (!keys) return JSON.stringify(list);
  const namedBy = (item: unknown) => JSON.stringify(keys.map((key) => isRecord(item) && keyValue(item, key)));
  const items = list.map((item) => `${namedBy(item)}${shapeOf(item)}`);
  return `[${items.join()}]`;
}
