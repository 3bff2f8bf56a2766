import type { Clock } from '../runtime/ports/clock.js';

/** What was made is told to others too for so many times as long as it took to make. */
const rest = 10;

/**
 * Makes a text once for all who ask at the same time or soon after: whoever reaches a port asks as often as he likes,
 * and gets it to be made for a tenth of the time at most.
 */
export function sharedText(clock: Pick<Clock, 'monotonic'>, make: () => Promise<string>): () => Promise<string> {
  let known: { readonly text: Promise<string>; until: number } | undefined;
  return async () => {
    if (known && clock.monotonic() < known.until) return known.text;
    const began = clock.monotonic();
    const made = { text: make(), until: Number.POSITIVE_INFINITY };
    known = made;
    try {
      return await made.text;
    } finally {
      const ended = clock.monotonic();
      made.until = ended + rest * (ended - began);
    }
  };
}
