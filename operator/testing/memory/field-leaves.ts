import { below, itemStep, keysOf, type Strategy } from '../../runtime/fields/merge-keys.js';
import { strategyOf } from '../../runtime/fields/merge-strategies.js';
import { isRecord } from '../../runtime/kubernetes/json.js';

/**
 * The leaves of a document by path, in order. Types that an API server merges (objects, lists with keys, sets) are split
 * into their parts. Any other list is one leaf.
 *
 * Paths are made of the segments of `managedFields`: `f:` a field, `k:` an item by its keys, `v:` an item by its value.
 */
export type Leaves = ReadonlyMap<string, unknown>;

export const separator = '\0';

/** @param strategy merge strategy of the document. @default - that of its kind */
export function leavesOf(
  document: Readonly<Record<string, unknown>>,
  strategy: Strategy = strategyOf(document),
): Map<string, unknown> {
  return new Map(pathsBelow(document, strategy, []));
}

/** The document with these leaves. */
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

type Path = readonly string[];

function pathsBelow(value: unknown, strategy: Strategy | undefined, path: Path): [string, unknown][] {
  if (Array.isArray(value)) return pathsOfList(value, strategy, path);
  const isLeaf = !isRecord(value) || Object.keys(value).length === 0 || strategy?.whole;
  if (isLeaf) return [[path.join(separator), value]];
  return Object.entries(value).flatMap(([key, part]) => pathsBelow(part, below(strategy, key), [...path, `f:${key}`]));
}

function pathsOfList(list: readonly unknown[], strategy: Strategy | undefined, path: Path): [string, unknown][] {
  const keys = keysOf(strategy, list);
  if (!keys && !strategy?.set) return [[path.join(separator), list]];
  const stepOf = (item: unknown) => (keys ? itemStep(item, keys) : `v:${JSON.stringify(item)}`);
  return list.flatMap((item) => pathsBelow(item, strategy?.each, [...path, stepOf(item)]));
}
