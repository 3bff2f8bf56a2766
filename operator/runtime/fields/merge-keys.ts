import { isRecord } from '../kubernetes/json.js';

/**
 * How the API server merges a value of which several managers state parts. What says nothing is merged by default: a record
 * field by field, any list as a whole.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
export interface Strategy {
  /** Of fields, by name. */
  readonly fields?: Readonly<Record<string, Strategy>>;
  /** Of the items of a list, or of the fields of a record that are not among `fields`. */
  readonly each?: Strategy;
  /** By which fields the items of a list are merged. */
  readonly keys?: readonly string[];
  /** What comes first in the list counts, as among the variables of a container, of which one may refer to those before it. */
  readonly ordered?: true;
  /** A list of plain values is merged as a set. */
  readonly set?: true;
  /** A record has one owner for all of it. */
  readonly whole?: true;
  /** The API server may spell it otherwise: `1000m` becomes `1`. */
  readonly quantity?: true;
  /** What the API server states where nothing is stated. @default - nothing */
  readonly default?: unknown;
}

/** The strategy of a field, or of an item of a list. */
export function below(strategy: Strategy | undefined, field = ''): Strategy | undefined {
  const { fields, each } = strategy ?? {};
  return fields && Object.hasOwn(fields, field) ? fields[field] : each;
}

/** The value of a merge key. One that is not stated takes the server's default, of which `TCP` is the only one there is. */
export function keyValue(item: Readonly<Record<string, unknown>>, key: string): unknown {
  return item[key] ?? (key === 'protocol' ? 'TCP' : undefined);
}

/**
 * By what the items of a list are merged; undefined where it counts as a whole, as one does of which two items have the
 * same keys: which is which nobody could tell.
 * @param others the same list as it is elsewhere
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

/** Up to so many items a list is looked through for each of them; to name them all takes longer. */
const short = 16;

/** Finds in a list, however long, the items that merge with others. */
export class Twins {
  readonly #places = new Map<string, number>();
  #named = 0;

  /**
   * @param list may grow while it is looked through
   * @param keys by which items are merged
   */
  constructor(
    readonly list: readonly unknown[],
    readonly keys: readonly string[],
  ) {}

  /** Where the item is that merges with this one, the first of several; -1 for none. */
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

/** Whether the items that are wanted of a list that is {@link Strategy.ordered} come one after the other there; others may be between. */
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

/** What managed fields call the item of a list that is merged by these keys. */
export function itemStep(item: unknown, keys: readonly string[]): string {
  const named = keys.map((key) => [key, isRecord(item) ? keyValue(item, key) : undefined]);
  return `k:${JSON.stringify(Object.fromEntries(named))}`; // what is undefined does not travel
}
