import { isRecord } from '../kubernetes/json.js';
import { groupKindOf, type ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject, ObjectKey } from '../kubernetes/object.js';

/**
 * Annotation of a resource with its objects that no owner reference can reach: keys by group and kind, as JSON. What is
 * in it may be there; what is there and ours is in it.
 * @see https://github.com/kubernetes/enhancements/issues/3659
 */
export const inventoryAnnotation = 'reconstruct.dev/inventory';

/** Where an object may be. */
export interface InventoryEntry {
  readonly kind: ObjectKind;
  readonly key: ObjectKey;
}

/** What a resource's inventory lists, and the version of the resource that lists it. */
export interface Inventory {
  readonly recorded: readonly InventoryEntry[];
  readonly version: string;
}

/** Characters; all annotations of an object together may have 256 KiB. */
export const longestInventory = 200_000;

/**
 * What a resource's inventory lists, of these kinds, each once. Whoever may edit the resource can forge it, so it proves nothing:
 * what is deleted also says by itself that it is ours.
 */
export function inventoryEntriesOf(resource: LiveObject, kinds: readonly ObjectKind[]): readonly InventoryEntry[] {
  const keysByKind = listedOn(resource);
  if (keysByKind === nothing) return none; // of most, and every event asks
  return kinds.flatMap((kind) => {
    const keys = Object.hasOwn(keysByKind, groupKindOf(kind)) ? keysByKind[groupKindOf(kind)] : undefined;
    const valid = Array.isArray(keys) ? keys.filter((key) => isKey(key, kind)) : [];
    return [...new Set(valid)].map((key) => ({ kind, key }));
  });
}

/** What a resource's inventory lists of other kinds: `ConfigMap other/a`. It proves as little. */
export function otherInventoryEntriesOf(resource: LiveObject, kinds: readonly ObjectKind[]): readonly string[] {
  const known = new Set(kinds.map(groupKindOf));
  const others = Object.entries(listedOn(resource)).filter(([kind]) => !known.has(kind));
  return others.flatMap(([kind, keys]) =>
    Array.isArray(keys) ? keys.filter((key) => typeof key === 'string').map((key) => `${kind} ${key}`) : [],
  );
}

/**
 * The inventory as its annotation has it: the same for the same objects; undefined for none.
 * @throws {Error} when there are more than an annotation has room for
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
      `of at most ${longestInventory}: want fewer of them, or split the resource`,
  );
}

/** Names an object beside those of other kinds. */
export function placeOf({ kind, key }: InventoryEntry): string {
  return `${groupKindOf(kind)} ${key}`;
}

/** Places of either, each once. */
export function union(a: readonly InventoryEntry[], b: readonly InventoryEntry[]): readonly InventoryEntry[] {
  if (b.length === 0) return a;
  return [...new Map([...a, ...b].map((one) => [placeOf(one), one])).values()];
}

/** True of what the API server takes for a name: asked for anything else, it refuses, or answers with a list. */
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
    return nothing; // somebody else wrote it
  }
}
