import { randomInt } from 'node:crypto';
import type { DnsServer, RecordsAnswer, RecordType, ZoneUpdate } from '../../dns/dns-records.js';
import { CallError, type CallErrorKind } from '../../runtime/ports/external-call.js';
import { classes, decodeMessage, encodeMessage, opcodes, type ReceivedMessage, rrsetOf, valuesOf } from './message.js';
import { canonicalName } from './names.js';
import { typeCode } from './records.js';
import { ResponseError, rcodeError, signatureError } from './response-error.js';
import { addressOf, type ExchangeOptions, exchange } from './tcp-exchange.js';
import { sign, verify } from './tsig.js';
import type { TsigKey } from './tsig-key.js';
import { encodeUpdate } from './update.js';
import { InvalidInputError, MalformedMessageError } from './wire.js';

/** A request, the server that gets it, and the key. */
interface Request {
  readonly to: DnsServer;
  readonly opcode: number;
  readonly key?: TsigKey | undefined;
  readonly message: (id: number) => Buffer;
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
  const { rcode } = await answerTo(
    { to, opcode: opcodes.update, key: to.key, message: (id) => encodeUpdate(update, id) },
    options,
  );
  if (rcode !== 0) throw rcodeError(rcode, { at: addressOf(to), key: to.key.name });
}

/**
 * Queries the records of one name and type at an authoritative server, without a cache.
 * @throws {CallError} as {@link updateZone} does, and if the server is not authoritative for the name
 */
export async function query(
  to: DnsServer & { readonly key?: TsigKey | undefined },
  { name, type }: { readonly name: string; readonly type: RecordType },
  options: ExchangeOptions,
): Promise<RecordsAnswer> {
  const question = validated('terminal', () => {
    return { name: canonicalName(name, 'name'), type: typeCode(type), class: classes.in };
  });
  const message = (id: number) => encodeMessage({ id, opcode: opcodes.query, question });
  const answer = await answerTo({ to, opcode: opcodes.query, key: to.key, message }, options);
  const at = addressOf(to);
  const isMissing = answer.rcode === nxdomain;
  if (answer.rcode !== 0 && !isMissing) throw rcodeError(answer.rcode, { at, ...(to.key && { key: to.key.name }) });
  if (!answer.isAuthoritative) {
    const code = isMissing ? 'NXDOMAIN' : 'NOERROR';
    throw new ResponseError(code, 'terminal', `${at} is not authoritative for ${name}: query a server of its zone`);
  }
  return decoded(at, () => rrsetIn(answer, question.name, type));
}

const nxdomain = 3;

function rrsetIn({ answers }: ReceivedMessage, name: string, type: RecordType): RecordsAnswer {
  const values = valuesOf(answers, name, type).toSorted();
  const ttl = rrsetOf(answers, name, type)[0]?.ttl;
  const [alias] = valuesOf(answers, name, 'CNAME');
  return { values, ...(ttl !== undefined && { ttl }), ...(alias !== undefined && { alias }) };
}

/** The response, which is proven to be the server's if the request has a key. */
async function answerTo({ to, opcode, key, message }: Request, options: ExchangeOptions): Promise<ReceivedMessage> {
  const at = addressOf(to);
  const id = randomInt(0x10000);
  const seconds = () => Math.floor(options.clock.now() / 1000);
  const plain = validated('terminal', () => message(id));
  let mac: Buffer = Buffer.alloc(0);
  const bytes = await exchange(
    to,
    () => {
      if (!key) return plain;
      // Signed when the server is connected, because the signature contains the time.
      const signed = sign(plain, key, seconds());
      mac = signed.mac;
      return signed.bytes;
    },
    options,
  );
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
