/**
 * Truncates a text to a number of UTF-8 bytes, as the API server counts them. A truncated text ends in `…` and never
 * splits a character. The API server would replace a split character, and the stored text would differ from ours
 * forever.
 */
export function truncate(text: string, bytes: number): string {
  const whole = /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text;
  if (Buffer.byteLength(whole) <= bytes) return whole;
  const { read } = new TextEncoder().encodeInto(whole, new Uint8Array(bytes - Buffer.byteLength('…')));
  return `${whole.slice(0, read)}…`;
}

/** As many names of a list as fit, the first one in any case, and how many more there are. @param bytes of all names */
export function listWithin(names: readonly string[], bytes: number): string {
  let left = bytes;
  let fitting = 0;
  for (const name of names) {
    left -= Buffer.byteLength(name) + 2;
    if (left < 0) break;
    fitting++;
  }
  return shortList(names, Math.max(1, fitting));
}

/** The first names of a list for people, and how many more there are. @param most the number of names that are shown */
export function shortList(names: readonly string[], most: number): string {
  const more = names.length - most;
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
