import { InvalidInputError, MalformedMessageError, type Reader, type Writer } from './wire.js';

/** Bytes of a label, and of a name with the lengths of its labels and of the root. */
const longestLabel = 63;
const longestName = 255;

/** The two upper bits of a byte that starts a pointer, and the first offset that no pointer can express. */
const pointerBits = 0xc000;
const pointerLimit = 0x4000;

/** Names and labels that are the same in text and on the wire. A long update has thousands, so they have a short way. */
const plainName = /^[\w-]+(?:\.[\w-]+)*\.?$/;
const plainLabel = /^[\w-]+$/;

/** The next byte of text: `\065` is the byte 65, `\.` a dot within a label, and a single backslash an error. */
const nextByte = /\\(\d{3})|\\(\D)|[^\\]|\\/gs;

/**
 * The canonical form of a name: lower case, without the final dot, and with escapes only where they are required. The
 * root is a dot. Names are always absolute.
 *
 * @param field for the error
 * @throws {InvalidInputError} if it is not a name
 * @see https://www.rfc-editor.org/rfc/rfc4343
 */
export function canonicalName(name: string, field: string): string {
  return textOf(labelsOf(name, field));
}

/**
 * The canonical form of a name that is the zone's own or below it.
 * @throws {InvalidInputError} if it is not
 */
export function nameInZone(name: string, zone: string): string {
  const [labels, apex] = [labelsOf(name, 'name'), labelsOf(zone, 'zone')];
  const isInZone = textOf(labels.slice(labels.length - apex.length)) === textOf(apex);
  if (isInZone) return textOf(labels);
  throw new InvalidInputError(`name: Invalid value: ${JSON.stringify(name)}: must be in the zone ${textOf(apex)}`);
}

/**
 * @param name must be canonical
 * @param isCompressed whether the end of the name may be a pointer to an earlier name
 */
export function writeName(writer: Writer, name: string, isCompressed = true): void {
  const labels = labelsOf(name, 'name');
  for (const [index, label] of labels.entries()) {
    const rest = textOf(labels.slice(index));
    const known = writer.offsets.get(rest);
    if (known !== undefined && isCompressed) {
      writer.uint(pointerBits | known, 2);
      return;
    }
    if (known === undefined && writer.length < pointerLimit) writer.offsets.set(rest, writer.length);
    writer.uint(label.length, 1);
    writer.put(label);
  }
  writer.uint(0, 1);
}

/**
 * Reads a name to its canonical form. It ends for all bytes, because each pointer leads to a lower offset than the one
 * before.
 *
 * @throws {MalformedMessageError} if there is no name
 */
export function readName(reader: Reader): string {
  const labels: Buffer[] = [];
  let from = reader;
  let start = reader.at;
  let left = longestName - 1;
  for (let length = from.uint(1); length > 0; length = from.uint(1)) {
    if (length >= 0xc0) {
      const target = ((length & 0x3f) << 8) | from.uint(1);
      if (target >= start) throw new MalformedMessageError(`the name at ${start} does not point backwards`);
      start = target;
      from = from.elsewhere(target);
      continue;
    }
    if (length > longestLabel) throw new MalformedMessageError(`the name at ${start} has a label of unknown type`);
    left -= length + 1;
    if (left < 0) throw new MalformedMessageError(`the name at ${start} has more than ${longestName} bytes`);
    labels.push(lowerCase(from.take(length)));
  }
  return textOf(labels);
}

function labelsOf(name: string, field: string): readonly Buffer[] {
  const refuse = (must: string) => new InvalidInputError(`${field}: Invalid value: ${JSON.stringify(name)}: ${must}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is not ASCII
  if (/[^\x00-\x7f]/.test(name)) throw refuse('must be ASCII; write an internationalized name in its xn-- form');
  const labels = plainName.test(name) ? name.split('.').map((label) => Buffer.from(label)) : splitBytes(name, refuse);
  if (labels.length > 1 && labels.at(-1)?.length === 0) labels.pop();
  if (name === '.') return [];
  const lengths = labels.map(({ length }) => length);
  if (lengths.includes(0)) throw refuse('must not have an empty label');
  if (Math.max(...lengths) > longestLabel) throw refuse(`must have at most ${longestLabel} bytes in each label`);
  if (lengths.reduce((sum, length) => sum + length + 1, 1) > longestName)
    throw refuse(`must have at most ${longestName} bytes with the lengths of its labels`);
  return labels.map(lowerCase);
}

/** The labels of a name with escapes. */
function splitBytes(name: string, refuse: (must: string) => InvalidInputError): Buffer[] {
  const labels: number[][] = [[]];
  for (const [token, code, character = token] of name.matchAll(nextByte)) {
    if (token === '\\' || Number(code ?? 0) > 255)
      throw refuse('must have only escapes from \\000 to \\255, or of one character that is no digit');
    if (token === '.') labels.push([]);
    else labels.at(-1)?.push(code === undefined ? character.charCodeAt(0) : Number(code));
  }
  return labels.map((bytes) => Buffer.from(bytes));
}

/** Lower case of ASCII only, because other bytes have no case in DNS. */
function lowerCase(label: Buffer): Buffer {
  return Buffer.from(label.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte)));
}

function textOf(labels: readonly Buffer[]): string {
  if (labels.length === 0) return '.';
  return labels.map(textOfLabel).join('.');
}

function textOfLabel(label: Buffer): string {
  const text = label.toString('latin1');
  return plainLabel.test(text) ? text : Array.from(label, characterOf).join('');
}

function characterOf(byte: number): string {
  const character = String.fromCharCode(byte);
  if (byte <= 0x20 || byte >= 0x7f) return `\\${String(byte).padStart(3, '0')}`;
  return '."\\;()@$'.includes(character) ? `\\${character}` : character;
}
