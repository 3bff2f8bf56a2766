import type { RecordType } from '../../dns/dns-records.js';
import { readName, writeName } from './names.js';
import { readValue, typeCode } from './records.js';
import { InvalidInputError, Reader, Writer } from './wire.js';

/** Operations, by their numbers. */
export const opcodes = { query: 0, update: 5 } as const;

/** Classes. `none` and `any` are used by updates only. */
export const classes = { in: 1, none: 254, any: 255 } as const;

/** Types that have no values in text. */
export const types = { soa: 6, tsig: 250, any: 255 } as const;

/** Bytes of a message without its signature, which has at most 600. With it, a message has at most 65,535. */
const longest = 64_900;

/** How the error of a message with too many bytes starts. */
export const tooLong = 'changes: Too long';

/** Bits of the second word of a header. */
const bits = { response: 0x8000, authoritative: 0x0400, truncated: 0x0200 } as const;

/** The question of a query, or the zone of an update. */
export interface Question {
  /** Canonical. */
  readonly name: string;
  readonly type: number;
  readonly class: number;
}

/** A record to send. */
export interface NewRecord {
  /** Canonical. */
  readonly name: string;
  readonly type: number;
  readonly class: number;
  /** Seconds. */
  readonly ttl: number;
  /** Writes the data. @default - no data, as in updates that name a whole RRset */
  readonly write?: (writer: Writer) => void;
}

/** A message to send. */
export interface NewMessage {
  /** 0 to 65535. */
  readonly id: number;
  readonly opcode: number;
  readonly question: Question;
  /** The prerequisites of an update. @default [] */
  readonly answers?: readonly NewRecord[];
  /** The changes of an update. @default [] */
  readonly authorities?: readonly NewRecord[];
}

/** A record that was received. */
export interface ReceivedRecord extends Question {
  /** Seconds. */
  readonly ttl: number;
  /** The offset of the record in the message. */
  readonly start: number;
  /** Reads the data. */
  readonly data: () => Reader;
}

/** A message that was received. */
export interface ReceivedMessage {
  readonly bytes: Buffer;
  readonly id: number;
  readonly opcode: number;
  readonly isResponse: boolean;
  readonly isAuthoritative: boolean;
  readonly isTruncated: boolean;
  /** The result, as a number. */
  readonly rcode: number;
  readonly questions: readonly Question[];
  readonly answers: readonly ReceivedRecord[];
  readonly authorities: readonly ReceivedRecord[];
  readonly additionals: readonly ReceivedRecord[];
}

/**
 * The bytes of a message without a signature.
 * @throws {InvalidInputError} if a record has no form on the wire, or the message is too long
 * @see https://www.rfc-editor.org/rfc/rfc1035#section-4.1
 */
export function encodeMessage({ id, opcode, question, answers = [], authorities = [] }: NewMessage): Buffer {
  const writer = new Writer();
  for (const word of [id, opcode << 11, 1, answers.length, authorities.length, 0]) writer.uint(word, 2);
  writeName(writer, question.name);
  writer.uint(question.type, 2);
  writer.uint(question.class, 2);
  for (const record of [...answers, ...authorities]) writeRecord(writer, record);
  const { length } = writer;
  if (length > longest) throw new InvalidInputError(`${tooLong}: ${length} bytes: must have at most ${longest}`);
  return writer.bytes;
}

/** @throws {MalformedMessageError} if the bytes are not a message. It throws nothing else and ends for all bytes */
export function decodeMessage(bytes: Buffer): ReceivedMessage {
  const reader = new Reader(bytes);
  const [id, flags] = [reader.uint(2), reader.uint(2)];
  const counts = [reader.uint(2), reader.uint(2), reader.uint(2), reader.uint(2)] as const;
  const message = {
    bytes,
    id,
    opcode: (flags >> 11) & 15,
    isResponse: (flags & bits.response) !== 0,
    isAuthoritative: (flags & bits.authoritative) !== 0,
    isTruncated: (flags & bits.truncated) !== 0,
    rcode: flags & 15,
    questions: listOf(counts[0], () => readQuestion(reader)),
    answers: listOf(counts[1], () => readRecord(reader)),
    authorities: listOf(counts[2], () => readRecord(reader)),
    additionals: listOf(counts[3], () => readRecord(reader)),
  };
  reader.finish('the message');
  return message;
}

/** The values of one RRset in canonical text, in the order of the message. */
export function valuesOf(records: readonly ReceivedRecord[], name: string, type: RecordType): readonly string[] {
  return rrsetOf(records, name, type).map(({ data }) => readValue(data(), type));
}

/** The records of one name and type. @param name must be canonical */
export function rrsetOf(records: readonly ReceivedRecord[], name: string, type: RecordType): readonly ReceivedRecord[] {
  const code = typeCode(type);
  return records.filter((record) => record.name === name && record.type === code && record.class === classes.in);
}

function writeRecord(writer: Writer, { name, type, class: ofClass, ttl, write }: NewRecord): void {
  writeName(writer, name);
  writer.uint(type, 2);
  writer.uint(ofClass, 2);
  writer.uint(ttl, 4);
  writer.sized(() => write?.(writer));
}

function readQuestion(reader: Reader): Question {
  return { name: readName(reader), type: reader.uint(2), class: reader.uint(2) };
}

function readRecord(reader: Reader): ReceivedRecord {
  const start = reader.at;
  const { name, type, class: ofClass } = readQuestion(reader);
  const ttl = reader.uint(4);
  const { bytes, at, end } = reader.part(reader.uint(2));
  return { name, type, class: ofClass, ttl, start, data: () => new Reader(bytes, at, end) };
}

/** @throws {MalformedMessageError} from `read` before a false count costs memory */
function listOf<T>(count: number, read: () => T): readonly T[] {
  const list: T[] = [];
  while (list.length < count) list.push(read());
  return list;
}
