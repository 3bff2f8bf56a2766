import { isIPv4 } from 'node:net';
import type { RecordType } from '../../dns/dns-records.js';
import { canonicalName, readName, writeName } from './names.js';
import { textStrings, textValue } from './texts.js';
import { InvalidInputError, type Reader, type Writer } from './wire.js';

/** How the data of one type of record is written in text and on the wire. */
interface RecordFormat {
  /** The number of the type. */
  readonly code: number;
  /** @throws {InvalidInputError} if the text is no value of this type */
  readonly write: (writer: Writer, value: string) => void;
  /** The canonical text. @throws {MalformedMessageError} if the bytes are no value of this type */
  readonly read: (reader: Reader) => string;
}

const formats = {
  A: {
    code: 1,
    write: (writer, value) => {
      if (!isIPv4(value)) throw refused(value, 'must be an IPv4 address, for example 192.0.2.1');
      writer.put(Buffer.from(value.split('.').map(Number)));
    },
    read: (reader) => reader.take(4).join('.'),
  },
  CNAME: {
    code: 5,
    write: (writer, value) => writeName(writer, canonicalName(value, 'values')),
    read: readName,
  },
  TXT: {
    code: 16,
    write: (writer, value) => {
      for (const string of textStrings(value)) {
        writer.uint(string.length, 1);
        writer.put(string);
      }
    },
    read: (reader) => {
      const strings: Buffer[] = [];
      do strings.push(reader.take(reader.uint(1)));
      while (!reader.isAtEnd);
      return textValue(strings);
    },
  },
  AAAA: {
    code: 28,
    write: (writer, value) => {
      for (const group of groupsOf(value)) writer.uint(group, 2);
    },
    read: (reader) => addressOf(Array.from({ length: 8 }, () => reader.uint(2))),
  },
  SRV: {
    code: 33,
    write: (writer, value) => {
      const [, target = '', ...numbers] = /^(?=\d+ \d+ \d+ (\S+)$)(\d+) (\d+) (\d+)/.exec(value) ?? [];
      if (numbers.length !== 3 || numbers.some((number) => Number(number) > 65_535))
        throw refused(
          value,
          'must be a priority, a weight, a port and a target, for example 10 50 443 web.example.com',
        );
      for (const number of numbers) writer.uint(Number(number), 2);
      // Receivers need not know this type, so its names must not be compressed.
      writeName(writer, canonicalName(target, 'values'), false);
    },
    read: (reader) => `${reader.uint(2)} ${reader.uint(2)} ${reader.uint(2)} ${readName(reader)}`,
  },
} as const satisfies Readonly<Record<RecordType, RecordFormat>>;

/** All types of records that can be changed and queried. */
export const recordTypes = Object.keys(formats) as readonly RecordType[];

/** The number of a type on the wire. @throws {InvalidInputError} if the type is not supported */
export function typeCode(type: RecordType): number {
  return formatOf(type).code;
}

/** Writes the data of a record without its length. @throws {InvalidInputError} if the text is no value of this type */
export function writeValue(writer: Writer, type: RecordType, value: string): void {
  formatOf(type).write(writer, value);
}

/**
 * Reads the data of a record to its canonical text.
 * @param reader must end where the data ends
 * @throws {MalformedMessageError} if the bytes are no value of this type
 */
export function readValue(reader: Reader, type: RecordType): string {
  const value = formatOf(type).read(reader);
  reader.finish(`the ${type} record`);
  return value;
}

function formatOf(type: RecordType): RecordFormat {
  // A type from JSON may be any text.
  if (!Object.hasOwn(formats, type))
    throw new InvalidInputError(`type: Unsupported value: ${JSON.stringify(type)}: must be ${recordTypes.join(', ')}`);
  return formats[type];
}

function refused(value: string, must: string): InvalidInputError {
  return new InvalidInputError(`values: Invalid value: ${JSON.stringify(value)}: ${must}`);
}

/** The eight groups of an IPv6 address. */
function groupsOf(value: string): readonly number[] {
  // The URL parser accepts all forms of addresses, rejects zones, and writes the canonical form (RFC 5952).
  const isAddress = /^[\da-f:.]+$/i.test(value) && URL.canParse(`http://[${value}]`);
  if (!isAddress) throw refused(value, 'must be an IPv6 address, for example 2001:db8::1');
  const [head = '', tail] = new URL(`http://[${value}]`).hostname.slice(1, -1).split('::');
  const numbers = (part: string) => part.split(':').flatMap((group) => (group ? [Number.parseInt(group, 16)] : []));
  const [first, last] = [numbers(head), numbers(tail ?? '')];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function addressOf(groups: readonly number[]): string {
  const text = groups.map((group) => group.toString(16)).join(':');
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}
