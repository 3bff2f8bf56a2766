import { randomInt } from 'node:crypto';
import type { RrsetName } from '../../dns/dns-names.js';
import type { DnsServer, RecordsAnswer, RecordType, ZoneUpdate } from '../../dns/dns-records.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError, type CallErrorKind } from '../../runtime/ports/external-call.js';
import {
  classes,
  decodeMessage,
  encodeMessage,
  opcodes,
  type Question,
  type ReceivedMessage,
  rrsetOf,
  types,
  valuesOf,
} from './message.js';
import { canonicalName, readName } from './names.js';
import { typeCode } from './records.js';
import { ResponseError, rcodeError, signatureError } from './response-error.js';
import {
  addressOf,
  type ConnectOptions,
  connectTo,
  type DnsConnection,
  type ExchangeOptions,
  exchange,
} from './tcp-exchange.js';
import { sign, verify } from './tsig.js';
import type { TsigKey } from './tsig-key.js';
import { encodeUpdate } from './update.js';
import { InvalidInputError, MalformedMessageError } from './wire.js';

/** A server, and the key that it shares with the operator. */
export type KeyedServer = DnsServer & { readonly key?: TsigKey | undefined };

/** A request, the server that gets it, and the key. */
interface Request {
  readonly to: KeyedServer;
  readonly opcode: number;
  /** 0 to 65535. */
  readonly id: number;
  readonly message: (id: number) => Buffer;
  /** Sends the message that the function creates. */
  readonly send: (message: () => Buffer) => Promise<Buffer>;
}

/**
 * Changes records of a zone. It resolves when the server has signed that it accepted the update. {@link query} shows
 * the effect, because a server ignores some changes without an error.
 *
 * @throws {CallError} `terminal` if the server never accepts the update or a prerequisite does not hold, `unauthorized`
 * if it does not accept the key, `unreachable` if it does not answer, and otherwise `retryable`
 */
export async function updateZone(
  to: DnsServer & { readonly key: TsigKey },
  update: ZoneUpdate,
  options: ExchangeOptions,
): Promise<void> {
  await updateWith({ to, id: randomInt(0x10000), send: (message) => exchange(to, message, options) }, update, options);
}

/**
 * Queries the records of one name and type at an authoritative server, without a cache.
 * @throws {CallError} as {@link updateZone} does, and if the server is not authoritative for the name
 */
export async function query(to: KeyedServer, rrset: RrsetName, options: ExchangeOptions): Promise<RecordsAnswer> {
  const send: Request['send'] = (message) => exchange(to, message, options);
  return queryWith({ to, id: randomInt(0x10000), send }, rrset, options);
}

/** Updates and queries over one connection. Close it after use. */
export class DnsSession {
  #id = randomInt(0x10000);

  private constructor(
    readonly to: KeyedServer,
    readonly connection: DnsConnection,
    readonly clock: Clock,
  ) {}

  /** @throws {CallError} `unreachable` if the server does not accept the connection */
  static async open(to: KeyedServer, options: ConnectOptions): Promise<DnsSession> {
    return new DnsSession(to, await connectTo(to, options), options.clock);
  }

  /** @throws as {@link updateZone} does */
  async update(update: ZoneUpdate): Promise<void> {
    await updateWith(this.#next(), update, this);
  }

  /** Other queries may be waiting for their answers. @throws as {@link query} does */
  async query(rrset: RrsetName): Promise<RecordsAnswer> {
    return queryWith(this.#next(), rrset, this);
  }

  /** The serial number of a zone. @throws as {@link query} does */
  async serial(zone: string): Promise<number> {
    const name = validated('terminal', () => canonicalName(zone, 'zone'));
    const answer = await answerWith(this.#next(), { name, type: types.soa, class: classes.in }, this);
    const soa = answer.answers.find((one) => one.name === name && one.type === types.soa);
    if (!soa) throw notAuthoritative(answer, addressOf(this.to), name);
    return decoded(addressOf(this.to), () => {
      const reader = soa.data();
      for (const _ of ['primary', 'mailbox']) readName(reader);
      return reader.uint(4);
    });
  }

  close(): void {
    this.connection.close();
  }

  #next(): Omit<Request, 'opcode' | 'message'> {
    this.#id = (this.#id + 1) % 0x10000;
    return { to: this.to, id: this.#id, send: (message) => this.connection.send(message()) };
  }
}

async function updateWith(
  request: Omit<Request, 'opcode' | 'message'>,
  update: ZoneUpdate,
  { clock }: { readonly clock: Clock },
): Promise<void> {
  const { to } = request;
  const message = (id: number) => encodeUpdate(update, id);
  const { rcode } = await answerTo({ ...request, opcode: opcodes.update, message }, clock);
  if (rcode !== 0) throw rcodeError(rcode, { at: addressOf(to), ...(to.key && { key: to.key.name }) });
}

async function queryWith(
  request: Omit<Request, 'opcode' | 'message'>,
  { name, type }: RrsetName,
  { clock }: { readonly clock: Clock },
): Promise<RecordsAnswer> {
  const question = validated('terminal', () => {
    return { name: canonicalName(name, 'name'), type: typeCode(type), class: classes.in };
  });
  const answer = await answerWith(request, question, { clock, shown: name });
  return decoded(addressOf(request.to), () => rrsetIn(answer, question.name, type));
}

/** The answer of an authoritative server. */
async function answerWith(
  request: Omit<Request, 'opcode' | 'message'>,
  question: Question,
  { clock, shown = question.name }: { readonly clock: Clock; readonly shown?: string },
): Promise<ReceivedMessage> {
  const { to } = request;
  const message = (id: number) => encodeMessage({ id, opcode: opcodes.query, question });
  const answer = await answerTo({ ...request, opcode: opcodes.query, message }, clock);
  const at = addressOf(to);
  const isMissing = answer.rcode === nxdomain;
  if (answer.rcode !== 0 && !isMissing) throw rcodeError(answer.rcode, { at, ...(to.key && { key: to.key.name }) });
  if (!answer.isAuthoritative) throw notAuthoritative(answer, at, shown);
  return answer;
}

function notAuthoritative({ rcode }: ReceivedMessage, at: string, name: string): ResponseError {
  const code = rcode === nxdomain ? 'NXDOMAIN' : 'NOERROR';
  return new ResponseError(code, 'terminal', `${at} is not authoritative for ${name}: query a server of its zone`);
}

const nxdomain = 3;

function rrsetIn({ answers }: ReceivedMessage, name: string, type: RecordType): RecordsAnswer {
  const values = valuesOf(answers, name, type).toSorted();
  const ttl = rrsetOf(answers, name, type)[0]?.ttl;
  const [alias] = valuesOf(answers, name, 'CNAME');
  return { values, ...(ttl !== undefined && { ttl }), ...(alias !== undefined && { alias }) };
}

/** The response, which is proven to be the server's if the request has a key. */
async function answerTo({ to, opcode, id, message, send }: Request, clock: Clock): Promise<ReceivedMessage> {
  const at = addressOf(to);
  const { key } = to;
  const seconds = () => Math.floor(clock.now() / 1000);
  const plain = validated('terminal', () => message(id));
  let mac: Buffer = Buffer.alloc(0);
  const bytes = await send(() => {
    if (!key) return plain;
    // Signed when the server is connected, because the signature contains the time.
    const signed = sign(plain, key, seconds());
    mac = signed.mac;
    return signed.bytes;
  });
  return decoded(at, () => {
    const answer = decodeMessage(bytes);
    if (answer.id !== id || !answer.isResponse || answer.opcode !== opcode || answer.isTruncated)
      throw new MalformedMessageError('it is not the answer to the request');
    const verification = key && verify(answer, key, mac, seconds());
    if (key && verification && verification.result !== 'verified')
      throw signatureError(verification, answer.rcode, { at, key: key.name }, seconds());
    return answer;
  });
}

/** @param kind of the error that invalid input becomes */
export function validated<T>(kind: CallErrorKind, encode: () => T): T {
  try {
    return encode();
  } catch (error) {
    throw error instanceof InvalidInputError ? new CallError(kind, error.message) : error;
  }
}

function decoded<T>(at: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof MalformedMessageError)) throw error;
    throw new CallError('retryable', `${at} answered with bytes that are no DNS message: ${error.message}`);
  }
}
