import type { Applying } from './apply.js';
import type { ObjectKind } from './kinds.js';
import { groupKindOf } from './kinds.js';
import { keyOf, type LiveObject } from './object.js';
import type { Desired } from './render.js';
import { kindPosition } from './waves.js';

interface Leftover {
  readonly kind: ObjectKind;
  readonly object: LiveObject;
}

/** What a resource owns and no longer wants, last made first. */
export function leftovers(owned: readonly Leftover[], desired: readonly Desired[]): Leftover[] {
  const wanted = new Set(desired.map(({ kind, key }) => `${groupKindOf(kind)} ${key}`));
  return owned
    .filter(({ kind, object }) => !wanted.has(`${groupKindOf(kind)} ${keyOf(object.metadata)}`))
    .sort((a, b) => kindPosition(b.kind) - kindPosition(a.kind));
}

/**
 * Removes them, each only if it still is the very object in the very state that was found to be ours.
 * @returns how many there are, those on their way out included
 */
export async function prune(found: readonly Leftover[], applying: Applying): Promise<number> {
  const { cluster, controller, stores, telemetry, signal } = applying;
  for (const { kind, object } of found) {
    const { metadata } = object;
    if (metadata.deletionTimestamp) continue;
    telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'delete' });
    const seen = { uid: metadata.uid, resourceVersion: metadata.resourceVersion };
    await stores.of(kind).write(keyOf(metadata), () => cluster.remove(kind, metadata, seen, { signal }));
  }
  return found.length;
}
