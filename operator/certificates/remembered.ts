import { createHash } from 'node:crypto';

/** Certificates take a few kilobytes each. */
const most = 256;

/**
 * Reads a text once. A reconcile asks the same of a few texts many times, and OpenSSL takes a fraction of a millisecond to
 * parse one. Texts are remembered by their digest, so that no private key stays in memory.
 *
 * @param read a pure function
 */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly answer: T }>();
  return (text) => {
    const digest = createHash('sha256').update(text).digest('base64');
    const found = known.get(digest) ?? { answer: read(text) };
    // The last one in a Map is the one that was used last.
    known.delete(digest);
    known.set(digest, found);
    const [oldest] = known.keys();
    if (known.size > most && oldest !== undefined) known.delete(oldest);
    return found.answer;
  };
}
