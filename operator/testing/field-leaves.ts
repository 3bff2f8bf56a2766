import { isRecord, itemStep, keysOf } from '../runtime/merge-keys.js';

/**
 * A document as its leaves: each by its path, in order. What an API server merges (records, lists with keys, lists that
 * are sets) is taken apart; any other list is a leaf as a whole.
 *
 * Paths are made of the segments of `managedFields`: `f:` a field, `k:` an item by its keys, `v:` an item by its value.
 */
export type Leaves = ReadonlyMap<string, unknown>;

export const separator = '\0';

/** Lists of plain values that are merged as sets. */
const sets: readonly string[] = ['finalizers'];

export function leavesOf(document: Readonly<Record<string, unknown>>): Map<string, unknown> {
  return new Map(pathsBelow(document, '', []));
}

/** The document that has these leaves. */
export function documentOf(leaves: Leaves): Readonly<Record<string, unknown>> {
  const root: Branch = { below: new Map() };
  for (const [path, value] of leaves) {
    let branch = root;
    for (const segment of path.split(separator)) {
      const next: Branch = branch.below.get(segment) ?? { below: new Map() };
      branch.below.set(segment, next);
      branch = next;
    }
    branch.value = value;
  }
  return (plain(root) ?? {}) as Readonly<Record<string, unknown>>;
}

interface Branch {
  value?: unknown;
  readonly below: Map<string, Branch>;
}

function plain({ value, below }: Branch): unknown {
  if (below.size === 0) return value;
  const [first = ''] = below.keys();
  if (!first.startsWith('f:')) return [...below.values()].map(plain);
  return Object.fromEntries([...below].map(([segment, branch]) => [segment.slice(2), plain(branch)]));
}

function pathsBelow(value: unknown, field: string, path: readonly string[]): [string, unknown][] {
  if (Array.isArray(value)) return pathsOfList(value, field, path);
  if (!isRecord(value) || Object.keys(value).length === 0) return [[path.join(separator), value]];
  return Object.entries(value).flatMap(([key, below]) => pathsBelow(below, key, [...path, `f:${key}`]));
}

function pathsOfList(list: readonly unknown[], field: string, path: readonly string[]): [string, unknown][] {
  if (sets.includes(field)) return list.flatMap((item) => pathsBelow(item, '', [...path, `v:${JSON.stringify(item)}`]));
  const keys = keysOf(field, list);
  if (!keys) return [[path.join(separator), list]];
  return list.flatMap((item) => pathsBelow(item, '', [...path, itemStep(item, keys)]));
}
