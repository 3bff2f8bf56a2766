/**
 * Characters that move a terminal's cursor, end a line or change the writing direction, so that the display would
 * differ from the text.
 */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Foreign text that is safe to print on a terminal: control characters are escaped. */
export function printable(line: string): string {
  return line.replace(unprintable, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
