import { isDeleting, isReleased } from './deletion.js';
import type { LiveObject } from './object.js';

/** Somebody waits for what comes of it: the spec is another, or the resource is to go, or to be let go. */
export function isEdit(before: LiveObject | undefined, after: LiveObject | undefined): boolean {
  if (!before || !after) return true;
  if (before.metadata.generation !== after.metadata.generation) return true;
  return isDeleting(before) !== isDeleting(after) || isReleased(before) !== isReleased(after);
}
