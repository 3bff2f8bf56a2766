import { isRecord } from '../kubernetes/json.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import { containsPart, isLeftOut } from './contains.js';
import type { FieldPath } from './field-path.js';
import { areInOrder, below, itemStep, keysOf, type Strategy, Twins } from './merge-keys.js';
import { strategyOf } from './merge-strategies.js';

/** The fields in which an object differs from its desired state, each as deep as it can be named. */
export function driftOf(live: LiveObject, wish: Manifest): FieldPath[] {
  const found: FieldPath[] = [];
  drifted(live, wish, { path: [], found, strategy: strategyOf(wish) });
  return found;
}

interface Walk {
  /** The current path. It grows and shrinks with the walk, and is copied for each result. */
  readonly path: string[];
  readonly found: FieldPath[];
  readonly strategy: Strategy | undefined;
}

/** Each level is visited once: the JSON may be a thousand levels deep. */
function drifted(live: unknown, wanted: unknown, walk: Walk): void {
  const { path, found, strategy } = walk;
  if (isRecord(live) && isRecord(wanted) && !strategy?.whole) {
    for (const [key, value] of Object.entries(wanted)) {
      if (value === undefined) continue; // undefined is not sent
      const there = Object.hasOwn(live, key) ? live[key] : undefined;
      if (isLeftOut(there, value, { key, strategy })) continue;
      path.push(key);
      if (there === undefined) found.push([...path]);
      else drifted(there, value, { path, found, strategy: below(strategy, key) });
      path.pop();
    }
    return;
  }
  const keys = Array.isArray(live) && Array.isArray(wanted) ? keysOf(strategy, wanted, live) : undefined;
  if (!keys) {
    if (!containsPart(live, wanted, strategy)) found.push([...path]);
    return;
  }
  const twins = new Twins(live as readonly unknown[], keys);
  if (!areInOrder(strategy, twins, wanted as readonly unknown[])) found.push([...path]);
  for (const item of wanted as readonly unknown[]) {
    path.push(itemStep(item, keys));
    drifted((live as readonly unknown[])[twins.indexOf(item)], item, { path, found, strategy: strategy?.each });
    path.pop();
  }
}
