import { allAbreast } from './abreast.js';
import type { Applying } from './apply.js';
import { authored } from './authored.js';
import { isDeleting } from './deletion.js';
import { write } from './doubts.js';
import { isClaimedBy } from './inventory.js';
import type { ObjectKind } from './kinds.js';
import { keyOf, type LiveObject, nameOf } from './object.js';
import { placeOf, type Recorded } from './recorded.js';
import { hasOtherOwners, leave } from './shared.js';
import { leaveBehind } from './untied.js';
import { kindPosition } from './waves.js';
import { whereServed } from './where-served.js';

/** An object of a resource that is not wanted any more. */
export interface Leftover {
  readonly kind: ObjectKind;
  readonly object: LiveObject;
}

/** What a resource owns and no longer wants, last made first. */
export function leftovers(owned: readonly Leftover[], desired: readonly Recorded[]): Leftover[] {
  const wanted = new Set(desired.map(placeOf));
  return owned
    .filter(({ kind, object }) => !wanted.has(placeOf({ kind, key: keyOf(object.metadata) })))
    .sort((a, b) => kindPosition(b.kind) - kindPosition(a.kind));
}

/** What came of looking for what is recorded. */
export interface Looked {
  readonly found: readonly Leftover[];
  /** What is not there, or not ours. */
  readonly absent: readonly Recorded[];
  /** False when some of it was not looked for. */
  readonly isAll: boolean;
}

/** Somebody can have listed any number of what never was. */
const mostInVain = 250;

/**
 * Of what is recorded and no watch showed as ours, that which is there and ours: somebody took its label off, or the
 * watch has not told of it. A read for each, so only for what is to go, and only so many in one pass.
 */
export async function unseen(recorded: readonly Recorded[], applying: Applying): Promise<Looked> {
  const { cluster, owner, signal, readsInVain = mostInVain } = applying;
  const found: Leftover[] = [];
  const absent: Recorded[] = [];
  let reads = readsInVain;
  await allAbreast(recorded, async (one) => {
    if (reads <= 0) return;
    reads--;
    const { kind, key } = one;
    const read = () => cluster.read(kind, nameOf(key), { signal });
    const object = await whereServed(kind, applying, read).catch((error: unknown) => {
      reads = 0; // the others would hardly do better
      throw error;
    });
    if (object && isClaimedBy(object, owner)) {
      found.push({ kind, object });
      reads++;
    } else absent.push(one);
  });
  return { found, absent, isAll: found.length + absent.length === recorded.length };
}

/**
 * Removes them, each only if it still is the very object in the very state that was found to be ours. For a resource that
 * is being deleted, what others build upon is asked to go only when those are gone: a volume outlives its pods. What its
 * controller leaves stays, and is nobody's.
 * @returns those that are still there, on their way out
 */
export async function prune(found: readonly Leftover[], applying: Applying): Promise<Leftover[]> {
  const { cluster, controller, owner, stores, telemetry, signal } = applying;
  const isLeft = (object: LiveObject) => authored(controller.name, 'leaves', () => controller.leaves?.(object, owner));
  const left: Leftover[] = [];
  for (const leftover of found) {
    const { kind, object } = leftover;
    const { metadata } = object;
    if (isDeleting(owner) && left.some((above) => kindPosition(above.kind) > kindPosition(kind))) {
      left.push(leftover);
      continue;
    }
    if (kind.untied && isLeft(object)) {
      await leaveBehind(kind, object, applying);
      continue;
    }
    if (kind.shared && hasOtherOwners(object, owner)) {
      await leave(kind, object, applying);
      continue;
    }
    const key = keyOf(metadata);
    const remove = () => {
      telemetry.wrote({ controller: controller.name, kind: kind.kind, verb: 'delete' });
      const seen = { uid: metadata.uid, resourceVersion: metadata.resourceVersion };
      return cluster.remove(kind, metadata, seen, { signal });
    };
    const store = stores.of(kind);
    // What no watch shows is kept out of the cache: nothing would take it out again.
    const remains =
      metadata.deletionTimestamp || (await (store.get(key) ? write({ kind, key }, applying, remove) : remove()));
    if (remains) left.push(leftover);
  }
  return left;
}
