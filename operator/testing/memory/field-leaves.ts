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
  const leaves = new Map<string, unknown>();
  addLeaves(leaves, '', { value: document, strategy });
  return leaves;
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

interface Part {
  readonly value: unknown;
  readonly strategy: Strategy | undefined;
}

/** Adds the leaves of the part at a path, in order. */
function addLeaves(leaves: Map<string, unknown>, path: string, { value, strategy }: Part): void {
  const at = path === '' ? '' : `${path}${separator}`;
  if (Array.isArray(value)) {
    const keys = keysOf(strategy, value);
    if (!keys && !strategy?.set) leaves.set(path, value);
    else
      for (const item of value) {
        const step = keys ? itemStep(item, keys) : `v:${JSON.stringify(item)}`;
        addLeaves(leaves, at + step, { value: item, strategy: strategy?.each });
      }
    return;
  }
  const fields = isRecord(value) && !strategy?.whole ? Object.entries(value) : [];
  if (fields.length === 0) leaves.set(path, value);
  for (const [key, part] of fields) addLeaves(leaves, `${at}f:${key}`, { value: part, strategy: below(strategy, key) });
}
