import { always, type Choice, type Condition, holds } from './condition.js';
import { mergedOrder } from './merged-order.js';
import { conditionOf, type Point } from './presence.js';

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonMap;

/** A JSON object. */
export interface JsonMap {
  readonly [key: string]: Json;
}

/** All renderings of a value in one. */
export type Tree =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'choice'; readonly options: readonly Option[]; readonly last: Json }
  | { readonly kind: 'map'; readonly entries: readonly Entry[] }
  | { readonly kind: 'list'; readonly entries: readonly Entry[] };

/** A scalar that replaces the last one of a choice. The first option that holds counts. */
export interface Option {
  readonly condition: Condition;
  readonly value: Json;
}

/** An entry of a map, or an item of a list, and when it exists. */
export interface Entry {
  /** The key in the map, or what identifies the item in its list. */
  readonly key: string;
  readonly condition: Condition;
  readonly tree: Tree;
}

/** A value as it was rendered. */
export interface Rendering {
  readonly at: Point;
  readonly value: Json;
}

/** Lists that have one item in each rendering. The items differ, and are merged. */
const single = new Set(['ingress', 'podMetricsEndpoints', 'endpoints']);

/**
 * Merges renderings of one value.
 * @param path where the value is, such as `Deployment/reconstruct.spec`
 * @throws {Error} if two systems need different values of one field
 */
export function treeOf(renderings: readonly Rendering[], path: string): Tree {
  const [first, ...others] = renderings;
  if (first === undefined) throw new Error(`${path}: must be in one rendering`);
  const text = JSON.stringify(first.value);
  if (others.every(({ value }) => JSON.stringify(value) === text)) return { kind: 'value', value: first.value };
  if (renderings.every(({ value }) => isMap(value))) {
    const entries = entriesOf(renderings, path, (value) => new Map(Object.entries(value as JsonMap)));
    return {
      kind: 'map',
      entries: path.includes('.') ? entries.toSorted((a, b) => (a.key < b.key ? -1 : 1)) : entries,
    };
  }
  if (renderings.every(({ value }) => Array.isArray(value))) {
    const identity = identityIn(
      renderings.map(({ value }) => value as readonly Json[]),
      path,
    );
    const itemsOf = (value: Json) => new Map((value as readonly Json[]).map((item) => [identity(item), item]));
    return { kind: 'list', entries: entriesOf(renderings, path, itemsOf) };
  }
  return choiceOf(renderings, path);
}

function entriesOf(
  renderings: readonly Rendering[],
  path: string,
  partsOf: (value: Json) => ReadonlyMap<string, Json>,
): readonly Entry[] {
  const whole = renderings.map(({ at }) => at);
  const parts = renderings.map(({ at, value }) => ({ at, parts: partsOf(value) }));
  return mergedOrder(parts.map((one) => [...one.parts.keys()])).map((key) => {
    const seen = parts.flatMap(({ at, parts: all }) => {
      const value = all.get(key);
      return value === undefined ? [] : [{ at, value }];
    });
    const condition = conditionOf(
      seen.map(({ at }) => at),
      whole,
    );
    return { key, condition, tree: treeOf(seen, `${path}.${key}`) };
  });
}

/** Items with a name are the same if their names are; other items if they are equal. */
function identityIn(lists: readonly (readonly Json[])[], path: string): (item: Json) => string {
  if (single.has(path.slice(path.lastIndexOf('.') + 1)) && lists.every(({ length }) => length === 1)) return () => '0';
  const named = (item: Json) => {
    const { name, alert } = isMap(item) ? item : {};
    return String(name ?? alert ?? JSON.stringify(item));
  };
  const areUnique = lists.every((list) => new Set(list.map(named)).size === list.length);
  return areUnique ? named : (item) => JSON.stringify(item);
}

function choiceOf(renderings: readonly Rendering[], path: string): Tree {
  if (renderings.some(({ value }) => isMap(value) || Array.isArray(value)))
    throw new Error(`${path}: must be of one type in all renderings`);
  const whole = renderings.map(({ at }) => at);
  const smallestFirst = renderings.toSorted((a, b) => a.at.settings.length - b.at.settings.length);
  const [last = null, ...others] = new Set(smallestFirst.map(({ value }) => value));
  const options = others.map((value) => {
    const seen = renderings.filter((one) => one.value === value).map(({ at }) => at);
    const mixed = whole.find(
      (one) => !seen.includes(one) && seen.some((other) => other.settings.join() === one.settings.join()),
    );
    if (mixed) throw new Error(`${path}: must be the same for all systems, got ${JSON.stringify([last, value])}`);
    return { condition: conditionOf(seen, whole), value };
  });
  return { kind: 'choice', options, last };
}

/** The value for a choice, as the construct renders it. */
export function valueFor(tree: Tree, choice: Choice): Json {
  if (tree.kind === 'value') return tree.value;
  if (tree.kind === 'choice')
    return (tree.options.find(({ condition }) => holds(condition, choice)) ?? { value: tree.last }).value;
  const present = tree.entries.filter(({ condition }) => holds(condition, choice));
  if (tree.kind === 'list') return present.map((entry) => valueFor(entry.tree, choice));
  return Object.fromEntries(present.map((entry) => [entry.key, valueFor(entry.tree, choice)]));
}

/** The entries of a map or the items of a list. All of them, if they never differ. Undefined for scalars. */
export function entriesIn(tree: Tree): readonly Entry[] | undefined {
  if (tree.kind === 'choice') return undefined;
  if (tree.kind !== 'value') return tree.entries;
  if (typeof tree.value !== 'object' || tree.value === null) return undefined;
  return Object.entries<Json>(tree.value).map(([key, value]) => {
    return { key, condition: always, tree: { kind: 'value', value } };
  });
}

/** Whether a tree is a list. */
export function isList(tree: Tree): boolean {
  return tree.kind === 'list' || (tree.kind === 'value' && Array.isArray(tree.value));
}

/** Whether a value is an object. */
export function isMap(value: Json): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
