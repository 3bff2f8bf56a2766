import { isRecord } from '../kubernetes/json.js';
import { below, keysOf, keyValue, type Strategy } from './merge-keys.js';
import { strategyOf } from './merge-strategies.js';

/**
 * The set of fields that a manifest has, whatever their values. Items of lists that are merged by key count as fields
 * named by their keys. Any other list counts with its content, because its keys are not known.
 */
export function fieldSetOf(manifest: unknown): string {
  return shape(manifest, strategyOf(manifest));
}

function shape(value: unknown, strategy: Strategy | undefined): string {
  if (Array.isArray(value)) return shapeOfList(value, strategy);
  if (!isRecord(value)) return '';
  let text = '{';
  // With its length, so that no key can look like another key and its content.
  for (const key in value) text += `${key.length} ${key}${shape(value[key], below(strategy, key))}`;
  return `${text}}`;
}

function shapeOfList(list: readonly unknown[], strategy: Strategy | undefined): string {
  const keys = keysOf(strategy, list);
  if (!keys) return JSON.stringify(list);
  const namedBy = (item: unknown) => JSON.stringify(keys.map((key) => isRecord(item) && keyValue(item, key)));
  const items = list.map((item) => `${namedBy(item)}${shape(item, strategy?.each)}`);
  return `[${items.join()}]`;
}
