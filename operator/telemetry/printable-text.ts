/** What moves a terminal's cursor, ends a line, or turns the direction of writing: what is shown would not be what is there. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A line that somebody else wrote, as it can be shown on a terminal: what would do something there is spelled out. */
export function printable(line: string): string {
  return line.replace(unprintable, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
