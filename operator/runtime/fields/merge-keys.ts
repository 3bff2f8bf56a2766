import { isRecord } from '../kubernetes/json.js';

/**
 * How the API server merges a value that several managers write. By default, a record is merged field by field, and a
 * list is replaced as a whole.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
export interface Strategy {
  /** The strategies of fields, by name. */
  readonly fields?: Readonly<Record<string, Strategy>>;
  /** The strategy of the items of a list, or of the fields of a record that are not among `fields`. */
  readonly each?: Strategy;
  /** The fields by which the items of a list are merged. */
  readonly keys?: readonly string[];
  /** The order of the list counts: for example, a variable of a container may refer to those before it. */
  readonly ordered?: true;
  /** A list of plain values is merged as a set. */
  readonly set?: true;
  /** A record has one owner for all of its content. */
  readonly whole?: true;
  /** The API server may write it in another notation: `1000m` becomes `1`. */
  readonly quantity?: true;
  /** The server's default for an absent value. @default - nothing */
  readonly default?: unknown;
  /** What the server returns for a zero value: nothing, or null. @default - the value */
  readonly zero?: 'omitted' | 'null';
  /** The type of the value is known, and so is {@link zero} of all of its fields. @default false */
  readonly typed?: true;
}

/** The strategy of a field, or of an item of a list. */
export function below(strategy: Strategy | undefined, field = ''): Strategy | undefined {
  const { fields, each } = strategy ?? {};
  return fields && Object.hasOwn(fields, field) ? fields[field] : each;
}

/** The value of a merge key. An absent key has the server's default. `TCP` is the only one that exists. */
export function keyValue(item: Readonly<Record<string, unknown>>, key: string): unknown {
  return item[key] ?? (key === 'protocol' ? 'TCP' : undefined);
}

/**
 * The keys by which the items of a list are merged. Undefined if the list counts as a whole. That is also the case if
 * two items have the same keys, because they cannot be distinguished.
 * @param others the same list in the other object
 */
export function keysOf(
  strategy: Strategy | undefined,
  items: readonly unknown[],
  others: readonly unknown[] = [],
): readonly string[] | undefined {
  const keys = strategy?.keys;
  if (!keys || !items.every(isRecord)) return undefined;
  return areDistinct(items, keys) && areDistinct(others, keys) ? keys : undefined;
}

function areDistinct(items: readonly unknown[], keys: readonly string[]): boolean {
  if (items.length < 2) return true;
  const twins = new Twins(items, keys);
  return items.every((item, index) => !isRecord(item) || twins.indexOf(item) === index);
}

/** Lists of up to this number of items are searched linearly. Building an index for them takes longer. */
const short = 16;

/** Finds the items of a list that merge with others, also in long lists. */
export class Twins {
  readonly #places = new Map<string, number>();
  #named = 0;

  /**
   * @param list may grow during the search
   * @param keys by which items are merged
   */
  constructor(
    readonly list: readonly unknown[],
    readonly keys: readonly string[],
  ) {}

  /** The index of the item that merges with this one, the first of several. -1 for none. */
  indexOf(item: unknown): number {
    const { list, keys } = this;
    if (!isRecord(item)) return -1;
    if (list.length <= short) return list.findIndex((other) => isRecord(other) && isTwin(other, item, keys));
    for (; this.#named < list.length; this.#named++) {
      const step = itemStep(list[this.#named], keys);
      if (!this.#places.has(step)) this.#places.set(step, this.#named);
    }
    return this.#places.get(itemStep(item, keys)) ?? -1;
  }
}

/**
 * Whether the desired items of a list that is {@link Strategy.ordered} appear there in the same order. Other items may
 * be between them.
 */
export function areInOrder(strategy: Strategy | undefined, twins: Twins, wanted: readonly unknown[]): boolean {
  if (!strategy?.ordered) return true;
  let last = -1;
  return wanted.every((item) => {
    const index = twins.indexOf(item);
    const isLater = index > last;
    if (index >= 0) last = index;
    return index < 0 || isLater;
  });
}

function isTwin(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): boolean {
  return keys.every((key) => keyValue(one, key) === keyValue(other, key));
}

/** How managed fields name an item of a list that is merged by these keys. */
export function itemStep(item: unknown, keys: readonly string[]): string {
  const named = keys.map((key) => [key, isRecord(item) ? keyValue(item, key) : undefined]);
  return `k:${JSON.stringify(Object.fromEntries(named))}`; // undefined is not sent
}
