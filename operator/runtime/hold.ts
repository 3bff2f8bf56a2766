import type { Applying } from './apply.js';
import { distantKinds } from './distant.js';
import { hasFinalizer, setFinalizer } from './finalizer.js';
import { keyOf } from './object.js';
import type { Leftover } from './prune.js';
import { inventoryText, placeOf, type Recorded, recordedOf } from './recorded.js';
import type { Desired } from './render.js';

/**
 * Holds a resource before anything is made for it: its finalizer is there when there will be something to undo, and its
 * inventory lists every distant object that may be there, those that are to be made included. A process that dies at any
 * call leaves nothing that the next one does not find. Nothing is sent when that is so already.
 *
 * @returns the inventory
 */
export async function hold(desired: readonly Desired[], applying: Applying): Promise<readonly Recorded[]> {
  const { controller, owner } = applying;
  const before = recordedOf(owner, distantKinds(controller));
  const all = union(
    before,
    desired.filter(({ distant }) => distant),
  );
  const isHeld = hasFinalizer(owner, controller.name);
  const isNeeded = (controller.finalizes && desired.length > 0) || all.length > 0;
  if (isNeeded && !(isHeld && isSame(before, all))) await setFinalizer(true, applying, all);
  return all;
}

/**
 * Takes off the inventory what is neither wanted nor there any more, and with the last thing to undo the finalizer. Only after
 * everything was applied and what is left over was told to go.
 */
export async function loosen(
  inventory: readonly Recorded[],
  { desired, left }: { desired: readonly Desired[]; left: readonly Leftover[] },
  applying: Applying,
): Promise<void> {
  const { controller, owner } = applying;
  const there = left.map(({ kind, object }) => ({ kind, key: keyOf(object.metadata) }));
  const meant = new Set([...desired, ...there].map(placeOf));
  const kept = inventory.filter((one) => meant.has(placeOf(one)));
  const hasSomething = desired.length + left.length > 0;
  const isNeeded = (controller.finalizes && hasSomething) || kept.length > 0;
  const isHeld = hasFinalizer(owner, controller.name);
  if (kept.length === inventory.length && (isNeeded || !isHeld)) return;
  await setFinalizer(isNeeded, applying, kept);
}

function union(a: readonly Recorded[], b: readonly Recorded[]): readonly Recorded[] {
  if (b.length === 0) return a;
  return [...new Map([...a, ...b].map((one) => [placeOf(one), one])).values()];
}

function isSame(a: readonly Recorded[], b: readonly Recorded[]): boolean {
  return a === b || inventoryText(a) === inventoryText(b);
}
