import { isRecord } from '../kubernetes/json.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { containsPart, isLeftOut } from './contains.js';
import { areInOrder, below, keysOf, type Strategy, Twins } from './merge-keys.js';
import { strategyOf } from './merge-strategies.js';

/**
 * An object with its desired values. Its other fields stay unchanged.
 *
 * @returns undefined if this cannot be decided here: a list with unknown keys, or the type of a value, differs
 */
export function merged(live: LiveObject, wanted: Manifest): LiveObject | undefined {
  // Without managed fields the server keeps the existing ones. The caches hold only a part of them.
  const { managedFields: _, ...metadata } = live.metadata as LiveObject['metadata'] & { managedFields?: unknown };
  return over({ ...live, metadata }, wanted, strategyOf(wanted)) as LiveObject | undefined;
}

/**
 * Returns the live object itself if nothing differs. Each level is visited once: the JSON may be a thousand levels
 * deep.
 */
function over(live: unknown, wanted: unknown, strategy: Strategy | undefined): unknown {
  const areRecords = isRecord(live) && isRecord(wanted);
  if (areRecords && !strategy?.whole) return overRecord(live, wanted, strategy);
  const keys = Array.isArray(live) && Array.isArray(wanted) ? keysOf(strategy, wanted, live) : undefined;
  if (keys)
    return overList(
      live as readonly unknown[],
      wanted as readonly unknown[],
      new Twins(live as readonly unknown[], keys),
      strategy,
    );
  if (containsPart(live, wanted, strategy)) return live;
  if (areRecords) return wanted;
  const isValue = typeof wanted !== 'object' && typeof live === typeof wanted;
  return isValue ? wanted : undefined;
}

function overRecord(
  live: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
  strategy: Strategy | undefined,
): unknown {
  let both: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(wanted)) {
    if (value === undefined) continue; // undefined is not sent
    const isThere = Object.hasOwn(live, key);
    if (isLeftOut(isThere ? live[key] : undefined, value, { key, strategy })) continue;
    const next = isThere ? over(live[key], value, below(strategy, key)) : (value ?? undefined);
    if (next === undefined) return undefined;
    if (isThere && next === live[key]) continue;
    if (key === '__proto__') return undefined; // an assignment cannot create such a field
    both ??= { ...live };
    both[key] = next;
  }
  return both ?? live;
}

function overList(
  live: readonly unknown[],
  wanted: readonly unknown[],
  twins: Twins,
  strategy: Strategy | undefined,
): unknown {
  const items: Item[] = wanted.map((item) => {
    const place = twins.indexOf(item);
    return { place, value: place < 0 ? item : over(live[place], item, strategy?.each) };
  });
  if (items.some(({ value }) => value === undefined)) return undefined;
  if (!areInOrder(strategy, twins, wanted)) return arranged(live, inPlace(items));
  return items.every(({ place, value }) => place >= 0 && value === live[place]) ? live : arranged(live, items);
}

/** A desired item of a list. */
interface Item {
  readonly value: unknown;
  /** Its index. -1 if it does not exist yet. */
  readonly place: number;
}

/** The items at their combined indexes, in order. */
function inPlace(items: readonly Item[]): Item[] {
  const places = items.flatMap(({ place }) => (place < 0 ? [] : [place])).toSorted((a, b) => b - a);
  return items.map(({ place, value }) => ({ value, place: place < 0 ? place : (places.pop() ?? place) }));
}

/** The list with these items at their indexes. A new item is inserted right before the desired item that follows it. */
function arranged(live: readonly unknown[], items: readonly Item[]): unknown[] {
  const at = new Map(items.map(({ place }, index) => [place, index]));
  let brought = 0;
  const upTo = (end: number) => {
    const some = items.slice(Math.min(brought, end), end).filter(({ place }) => place < 0);
    brought = Math.max(brought, end);
    return some.map(({ value }) => value);
  };
  const first = live.flatMap((item, place) => {
    const index = at.get(place);
    return index === undefined ? [item] : [...upTo(index), items[index]?.value];
  });
  return [...first, ...upTo(items.length)];
}
