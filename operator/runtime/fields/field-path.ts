import { isRecord } from '../kubernetes/json.js';
import type { LiveObject } from '../kubernetes/object.js';

/** From the outside in: names of fields, and `k:{"name":"main"}` for an item of a list that is merged by key. */
export type FieldPath = readonly string[];

/** `spec.template.spec.containers[main].image` */
export function fieldText(path: FieldPath): string {
  return path.reduce((text, part) => {
    if (part.startsWith('k:')) return `${text}[${Object.values(JSON.parse(part.slice(2)) as object).join(' ')}]`;
    if (part.includes('/') || part.includes('.')) return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

interface ManagedFieldsEntry {
  readonly manager?: string;
  /** RFC 3339. */
  readonly time?: string;
  readonly fieldsV1?: unknown;
}

/**
 * The manager that wrote a field last, by the managed fields of an object: the owner of the field or, if it has none
 * because it was removed, the last writer of the object.
 * @param but a manager to exclude
 */
export function writerOf(object: LiveObject, path: FieldPath, but: string): string {
  const { managedFields = [] } = object.metadata as { managedFields?: readonly ManagedFieldsEntry[] };
  const others = managedFields.filter(({ manager }) => manager !== undefined && manager !== but);
  const latest = others.toSorted((a, b) => ((a.time ?? '') < (b.time ?? '') ? 1 : -1));
  const writer = latest.find(({ fieldsV1 }) => owns(fieldsV1, path)) ?? latest[0];
  return writer?.manager ?? 'an unknown field manager';
}

/** The managers that own a field, by the managed fields of an object. Empty if the field does not exist. */
export function managersOf(object: LiveObject, path: FieldPath): readonly string[] {
  const { managedFields = [] } = object.metadata as { managedFields?: readonly ManagedFieldsEntry[] };
  return managedFields.flatMap(({ manager, fieldsV1 }) => (manager && owns(fieldsV1, path) ? [manager] : []));
}

/** @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/#System */
function owns(fields: unknown, [part, ...rest]: FieldPath): boolean {
  if (part === undefined || !isRecord(fields)) return fields !== undefined;
  const below = part.startsWith('k:') ? itemOf(fields, part) : fields[`f:${part}`];
  return below !== undefined && owns(below, rest);
}

/** The server names an item only by the keys of its list. The path may have more keys, or in another order. */
function itemOf(fields: Readonly<Record<string, unknown>>, part: string): unknown {
  const wanted = JSON.parse(part.slice(2)) as Readonly<Record<string, unknown>>;
  const isItem = (name: string) =>
    name.startsWith('k:') &&
    Object.entries(JSON.parse(name.slice(2)) as object).every(([key, value]) => wanted[key] === value);
  return Object.entries(fields).find(([name]) => isItem(name))?.[1];
}
