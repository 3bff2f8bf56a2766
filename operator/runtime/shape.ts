import { isRecord, keysOf, keyValue } from './merge-keys.js';

/**
 * Which fields a manifest states, whatever their values: two manifests of one shape differ in no field. Items of lists
 * that are merged by key count as fields named by their keys; any other list counts with its content, because what
 * keys it may have is not known.
 */
export function shapeOf(value: unknown): string {
  const parts: string[] = [];
  shape(value, '', parts);
  return parts.join('');
}

/** Into one list of parts: a text that grows part by part takes three times the memory, for each object of each pass. */
function shape(value: unknown, field: string, parts: string[]): void {
  if (Array.isArray(value)) shapeOfList(value, field, parts);
  else if (isRecord(value)) shapeOfRecord(value, parts);
}

function shapeOfRecord(record: Readonly<Record<string, unknown>>, parts: string[]): void {
  parts.push('{');
  for (const key in record) {
    parts.push(String(key.length), ' ', key); // with its length, so that no key can look like another and what comes after it
    shape(record[key], key, parts);
  }
  parts.push('}');
}

function shapeOfList(list: readonly unknown[], field: string, parts: string[]): void {
  const keys = keysOf(field, list);
  if (!keys) return void parts.push(JSON.stringify(list));
  parts.push('[');
  for (const [index, item] of list.entries()) {
    if (index > 0) parts.push(',');
    parts.push(JSON.stringify(keys.map((key) => isRecord(item) && keyValue(item, key))));
    shape(item, '', parts);
  }
  parts.push(']');
}
