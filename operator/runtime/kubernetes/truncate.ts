/**
 * A text of at most so many bytes of UTF-8, as the API server counts them; what is longer ends in `…`. No half of a
 * character is in it: the API server keeps another one in its place, and would differ from what was said for ever.
 */
export function truncate(text: string, bytes: number): string {
  const whole = /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text;
  if (Buffer.byteLength(whole) <= bytes) return whole;
  const { read } = new TextEncoder().encodeInto(whole, new Uint8Array(bytes - Buffer.byteLength('…')));
  return `${whole.slice(0, read)}…`;
}
