import { keyOf } from '../kubernetes/object.js';
import { placeOf } from '../ownership/inventory.js';
import type { Keep } from '../rendering/keep.js';
import type { Leftover } from './prune.js';

/** An object that is no longer desired and is not pruned. */
export interface Held extends Leftover {
  /** The cause, for people, after "because". */
  readonly why: string;
}

/** Separates the objects that stay from those to prune. */
export function heldAmong(
  found: readonly Leftover[],
  keeps: readonly Keep[],
): { readonly held: readonly Held[]; readonly loose: readonly Leftover[] } {
  const held: Held[] = [];
  const loose: Leftover[] = [];
  for (const one of found) {
    const place = placeOf({ kind: one.kind, key: keyOf(one.object.metadata) });
    const keep = keeps.find(({ object }) => !object || placeOf(object) === place);
    if (keep) held.push({ ...one, why: keep.why });
    else loose.push(one);
  }
  return { held, loose };
}
