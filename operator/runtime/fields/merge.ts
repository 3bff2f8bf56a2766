import { isRecord } from '../kubernetes/json.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { containsPart, isLeftOut } from './contains.js';
import { areInOrder, below, keysOf, type Strategy, Twins } from './merge-keys.js';
import { strategyOf } from './merge-strategies.js';

/**
 * An object as it is, with the values that are wanted of it: what else it states stays, whoever stated it.
 *
 * @returns undefined where that is not for us to say: where a list whose keys are not known, or the kind of a value, differs
 */
export function merged(live: LiveObject, wanted: Manifest): LiveObject | undefined {
  // Without managed fields the server keeps those that there are; the caches know but a part of them.
  const { managedFields: _, ...metadata } = live.metadata as LiveObject['metadata'] & { managedFields?: unknown };
  return over({ ...live, metadata }, wanted, strategyOf(wanted)) as LiveObject | undefined;
}

/** The live one itself where nothing differs. Each level is looked at once: what is stated may be a thousand levels deep. */
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
    if (value === undefined) continue; // does not travel
    const isThere = Object.hasOwn(live, key);
    if (!isThere && isLeftOut(key, value)) continue;
    const next = isThere ? over(live[key], value, below(strategy, key)) : (value ?? undefined);
    if (next === undefined) return undefined;
    if (isThere && next === live[key]) continue;
    if (key === '__proto__') return undefined; // no assignment makes such a field
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

/** An item that is wanted of a list. */
interface Item {
  readonly value: unknown;
  /** Where it is to be; -1 for one that is not there yet. */
  readonly place: number;
}

/** In the places that they have together, the first of them in the first. */
function inPlace(items: readonly Item[]): Item[] {
  const places = items.flatMap(({ place }) => (place < 0 ? [] : [place])).toSorted((a, b) => b - a);
  return items.map(({ place, value }) => ({ value, place: place < 0 ? place : (places.pop() ?? place) }));
}

/** The list with these items in their places. What is not there yet comes right before what is wanted after it. */
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
