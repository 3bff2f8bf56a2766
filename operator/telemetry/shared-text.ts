import type { Clock } from '../runtime/ports/clock.js';

/** A text is reused for this multiple of the time that it took to compute. */
const rest = 10;

/**
 * Computes a text once for all clients that ask at the same time or soon after. A client that reaches a port can ask at
 * any rate, and computing takes at most a tenth of the time.
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
