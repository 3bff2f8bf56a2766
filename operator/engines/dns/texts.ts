import { InvalidInputError } from './wire.js';

/** Bytes of one string of a TXT record. */
const longestString = 255;

/** Strings in quotes, as in a zone file. */
const quotedStrings = /^"(?:[^"\\]|\\\d{3}|\\\D)*"(?:\s+"(?:[^"\\]|\\\d{3}|\\\D)*")*$/s;

/**
 * The strings of a TXT record. Plain text is split after each 255 bytes, as programs expect that join the strings. Text
 * that starts with a quote is a list of strings, as in a zone file: `"one" "two \"quoted\""`.
 *
 * @throws {InvalidInputError} if a quoted string has more than 255 bytes or no end
 * @see https://www.rfc-editor.org/rfc/rfc7208#section-3.3
 */
export function textStrings(value: string): readonly Buffer[] {
  if (/\p{Surrogate}/u.test(value)) throw refused(value, 'must be text without single surrogates');
  return value.startsWith('"') ? quoted(value) : split(Buffer.from(value));
}

/** The canonical text: plain if {@link textStrings} splits it into the same strings, otherwise quoted. */
export function textValue(strings: readonly Buffer[]): string {
  const plain = Buffer.concat(strings).toString();
  const isSame = (again: readonly Buffer[]) =>
    again.length === strings.length && again.every((string, index) => strings[index]?.equals(string));
  return !plain.startsWith('"') && isSame(split(Buffer.from(plain))) ? plain : strings.map(inQuotes).join(' ');
}

function split(bytes: Buffer): readonly Buffer[] {
  const count = Math.max(1, Math.ceil(bytes.length / longestString));
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * longestString, (index + 1) * longestString),
  );
}

function quoted(value: string): readonly Buffer[] {
  if (!quotedStrings.test(value)) throw refused(value, 'must be strings in quotes, with \\" for a quote in a string');
  const strings = Array.from(value.matchAll(/"((?:[^"\\]|\\.)*)"/gs), ([, inner = '']) => unescaped(inner, value));
  if (strings.some(({ length }) => length > longestString))
    throw refused(value, `must have at most ${longestString} bytes in each quoted string`);
  return strings;
}

function unescaped(inner: string, value: string): Buffer {
  const bytes = Array.from(inner.matchAll(/\\(\d{3})|\\(\D)|[^\\]/gsu), ([token, code, character = token]) => {
    if (Number(code ?? 0) > 255) throw refused(value, 'must have escapes from \\000 to \\255');
    return code === undefined ? Buffer.from(character) : Buffer.of(Number(code));
  });
  return Buffer.concat(bytes);
}

function inQuotes(string: Buffer): string {
  const characters = Array.from(string, (byte) => {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte >= 0x7f) return `\\${String(byte).padStart(3, '0')}`;
    return character === '"' || character === '\\' ? `\\${character}` : character;
  });
  return `"${characters.join('')}"`;
}

function refused(value: string, must: string): InvalidInputError {
  return new InvalidInputError(`values: Invalid value: ${JSON.stringify(value)}: ${must}`);
}
