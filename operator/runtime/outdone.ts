import type { Applying } from './apply.js';
import type { Sight } from './sight.js';
import { versionsSeen } from './versions.js';

/** Milliseconds after which to look again at what a pass itself has changed. */
export const atOnce = 1;

/**
 * Takes note of the objects that `desire` looked at, before anything is awaited.
 * @returns tells whether they are others by now: what was desired was so of a world that the pass itself has changed, and
 * nobody is woken by what he wrote himself
 */
export function outdone(sight: Sight, { controller, owner, stores }: Applying): () => boolean {
  if (sight.kinds.size === 0 && controller.sees.length === 0) return () => false;
  const versions = () => versionsSeen(owner, sight, { controller, stores });
  const before = versions();
  return () => versions() !== before;
}
