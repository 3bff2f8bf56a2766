import { covered, isEmpty } from './covers.js';
import { isRecord, keysOf, Twins } from './merge-keys.js';
import type { LiveObject, Manifest } from './object.js';

/**
 * An object as it is, with the values that are wanted of it: what else it states stays, whoever stated it.
 *
 * @returns undefined where that is not for us to say: where a list whose keys are not known, or the kind of a value, differs
 */
export function overlaid(live: LiveObject, wanted: Manifest): LiveObject | undefined {
  // Without managed fields the server keeps those that there are; the caches know but a part of them.
  const { managedFields: _, ...metadata } = live.metadata as LiveObject['metadata'] & { managedFields?: unknown };
  return over({ ...live, metadata }, wanted, '', '') as LiveObject | undefined;
}

function over(live: unknown, wanted: unknown, field: string, parent: string): unknown {
  if (covered(live, wanted, field, parent)) return live;
  if (wanted === null || live === null) return undefined;
  if (isRecord(wanted)) return isRecord(live) ? overRecord(live, wanted, field) : undefined;
  if (Array.isArray(wanted)) return Array.isArray(live) ? overList(live, wanted, field) : undefined;
  return typeof live === typeof wanted ? wanted : undefined;
}

function overRecord(
  live: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
  field: string,
): unknown {
  const both: Record<string, unknown> = { ...live };
  for (const [key, value] of Object.entries(wanted)) {
    if (value === undefined) continue; // does not travel
    if (key === '__proto__') return undefined; // no assignment makes such a field
    const isThere = Object.hasOwn(live, key);
    if (!isThere && isEmpty(value)) continue;
    const next = isThere ? over(live[key], value, key, field) : (value ?? undefined);
    if (next === undefined) return undefined;
    both[key] = next;
  }
  return both;
}

function overList(live: readonly unknown[], wanted: readonly unknown[], field: string): unknown {
  const keys = keysOf(field, wanted);
  if (!keys) return undefined;
  const both = [...live];
  const twins = new Twins(both, keys);
  for (const item of wanted) {
    const index = twins.indexOf(item);
    const next = index < 0 ? item : over(both[index], item, '', field);
    if (next === undefined) return undefined;
    both[index < 0 ? both.length : index] = next;
  }
  return both;
}
