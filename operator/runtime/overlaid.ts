import { covered, isEmpty } from './covers.js';
import { below, isRecord, keysOf, type Strategy, Twins } from './merge-keys.js';
import { strategyOf } from './merge-strategies.js';
import type { LiveObject, Manifest } from './object.js';

/**
 * An object as it is, with the values that are wanted of it: what else it states stays, whoever stated it.
 *
 * @returns undefined where that is not for us to say: where a list whose keys are not known, or the kind of a value, differs
 */
export function overlaid(live: LiveObject, wanted: Manifest): LiveObject | undefined {
  // Without managed fields the server keeps those that there are; the caches know but a part of them.
  const { managedFields: _, ...metadata } = live.metadata as LiveObject['metadata'] & { managedFields?: unknown };
  return over({ ...live, metadata }, wanted, strategyOf(wanted)) as LiveObject | undefined;
}

/** The live one itself where nothing differs. Each level is looked at once: what is stated may be a thousand levels deep. */
function over(live: unknown, wanted: unknown, strategy: Strategy | undefined): unknown {
  const areRecords = isRecord(live) && isRecord(wanted);
  if (areRecords && !strategy?.whole) return overRecord(live, wanted, strategy);
  const keys = Array.isArray(live) && Array.isArray(wanted) ? keysOf(strategy, wanted, live) : undefined;
  if (keys) return overList(live as readonly unknown[], wanted as readonly unknown[], { keys, each: strategy?.each });
  if (covered(live, wanted, strategy)) return live;
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
    if (!isThere && isEmpty(value)) continue;
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
  { keys, each }: { readonly keys: readonly string[]; readonly each: Strategy | undefined },
): unknown {
  const both = [...live];
  const twins = new Twins(both, keys);
  let isSame = true;
  for (const item of wanted) {
    const index = twins.indexOf(item);
    const next = index < 0 ? item : over(both[index], item, each);
    if (next === undefined) return undefined;
    if (index >= 0 && next === both[index]) continue;
    isSame = false;
    both[index < 0 ? both.length : index] = next;
  }
  return isSame ? live : both;
}
