import type { Clock } from '../runtime/clock.js';

/** Milliseconds for which what was made is told to others too: seldom enough, and nobody scrapes more often. */
const fresh = 1_000;

/**
 * Makes a text once for all who ask at the same time or soon after: it takes long to make, and whoever reaches a port
 * asks as often as he likes.
 */
export function lately(clock: Pick<Clock, 'monotonic'>, make: () => Promise<string>): () => Promise<string> {
  let known: { readonly text: Promise<string>; until: number } | undefined;
  return async () => {
    if (known && clock.monotonic() < known.until) return known.text;
    const made = { text: make(), until: Number.POSITIVE_INFINITY };
    known = made;
    try {
      return await made.text;
    } finally {
      made.until = clock.monotonic() + fresh;
    }
  };
}
