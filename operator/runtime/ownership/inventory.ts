import { isRecord } from '../kubernetes/json.js';
import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject, ObjectKey } from '../kubernetes/object.js';

/**
 * Annotation of a resource that lists its objects beyond the reach of owner references: keys by group and kind, as
 * JSON. A listed object may exist, and every existing object of ours is listed.
 * @see https://github.com/kubernetes/enhancements/issues/3659
 */
export const inventoryAnnotation = 'reconstruct.dev/inventory';

/** The place of an object that may exist. */
export interface InventoryEntry {
  readonly kind: ObjectKind;
  readonly key: ObjectKey;
}

/** The entries of a resource's inventory, and the version of the resource that lists them. */
export interface Inventory {
  readonly recorded: readonly InventoryEntry[];
  readonly version: string;
}

/** Characters. All annotations of an object together may have 256 KiB. */
export const longestInventory = 200_000;

/**
 * The inventory entries of these kinds, each once. Any user who may edit the resource can forge them, so they prove
 * nothing: an object is deleted only if it also names the resource as its owner.
 */
export function inventoryEntriesOf(resource: LiveObject, kinds: readonly ObjectKind[]): readonly InventoryEntry[] {
  const keysByKind = listedOn(resource);
  if (keysByKind === nothing) return none; // usually empty, and every event asks
  return kinds.flatMap((kind) => {
    const keys = Object.hasOwn(keysByKind, groupKindOf(kind)) ? keysByKind[groupKindOf(kind)] : undefined;
    const valid = Array.isArray(keys) ? keys.filter((key) => isKey(key, kind)) : [];
    return [...new Set(valid)].map((key) => ({ kind, key }));
  });
}

/** The inventory entries of other kinds: `ConfigMap other/a`. They prove just as little. */
export function otherInventoryEntriesOf(resource: LiveObject, kinds: readonly ObjectKind[]): readonly string[] {
  const known = new Set(kinds.map(groupKindOf));
  const others = Object.entries(listedOn(resource)).filter(([kind]) => !known.has(kind));
  return others.flatMap(([kind, keys]) =>
    Array.isArray(keys) ? keys.filter((key) => typeof key === 'string').map((key) => `${kind} ${key}`) : [],
  );
}

/**
 * The inventory as the text of its annotation. It is the same for the same objects, and undefined for none.
 * @throws {Error} if there are more objects than fit into an annotation
 */
export function inventoryText(recorded: readonly InventoryEntry[]): string | undefined {
  if (recorded.length === 0) return undefined;
  const keysByKind = new Map<string, Set<ObjectKey>>();
  for (const { kind, key } of recorded) {
    const keys = keysByKind.get(groupKindOf(kind)) ?? new Set();
    keysByKind.set(groupKindOf(kind), keys.add(key));
  }
  const sorted = [...keysByKind].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, keys]) => [kind, [...keys].sort()]);
  const text = JSON.stringify(Object.fromEntries(sorted));
  if (text.length <= longestInventory) return text;
  throw new Error(
    `the inventory of ${recorded.length} objects outside of the resource's namespace takes ${text.length} characters, ` +
      `but must take at most ${longestInventory}: desire fewer of them, or split the resource`,
  );
}

/** Identifies an object among those of other kinds. */
export function placeOf({ kind, key }: InventoryEntry): string {
  return `${groupKindOf(kind)} ${key}`;
}

/** The entries of both, each once. */
export function union(a: readonly InventoryEntry[], b: readonly InventoryEntry[]): readonly InventoryEntry[] {
  if (b.length === 0) return a;
  return [...new Map([...a, ...b].map((one) => [placeOf(one), one])).values()];
}

/** True for a valid object key. For any other path the API server returns an error or a list. */
function isKey(key: unknown, { namespaced }: ObjectKind): key is ObjectKey {
  if (typeof key !== 'string') return false;
  const names = key.split('/');
  return names.length === (namespaced ? 2 : 1) && names.every((name) => !/^(?:\.{0,2}|.*%.*)$/s.test(name));
}

const nothing = Object.freeze({});
const none: readonly InventoryEntry[] = Object.freeze([]);

function listedOn({ metadata }: LiveObject): Readonly<Record<string, unknown>> {
  const text = metadata.annotations?.[inventoryAnnotation];
  if (text === undefined) return nothing;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : nothing;
  } catch {
    return nothing; // another writer wrote it
  }
}
