import { createHmac, timingSafeEqual } from 'node:crypto';
import { classes, type ReceivedMessage, type ReceivedRecord, types } from './message.js';
import { readName, writeName } from './names.js';
import type { TsigKey } from './tsig-key.js';
import { MalformedMessageError, Writer } from './wire.js';

/** Seconds by which the clocks of client and server may differ, as the standard recommends. */
export const recommendedFudge = 300;

/** A message with its signature. */
export interface Signed {
  readonly bytes: Buffer;
  /** The signature, which that of the response covers. */
  readonly mac: Buffer;
}

/** Errors in the signature of a response, by their numbers. */
const tsigErrors: Readonly<Record<number, TsigError>> = { 16: 'BADSIG', 17: 'BADKEY', 18: 'BADTIME', 22: 'BADTRUNC' };

/** Why a server did not accept a signature. */
export type TsigError = 'BADSIG' | 'BADKEY' | 'BADTIME' | 'BADTRUNC';

/** What the signature of a response proves. */
export type Verification =
  /** The server has the key, and the response answers this request. */
  | { readonly result: 'verified' }
  /**
   * The server did not accept the signature of the request, and did nothing. This is not proven for BADKEY and BADSIG,
   * because the server cannot sign then. `serverTime`: seconds since 1970.
   */
  | { readonly result: 'rejected'; readonly error: TsigError; readonly serverTime?: number }
  /** There is no signature. */
  | { readonly result: 'unsigned' }
  /** The signature is wrong, so that the response is worth nothing. */
  | { readonly result: 'invalid'; readonly why: string };

/** The fields of a signature. */
interface Tsig {
  readonly keyName: string;
  readonly algorithm: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** Seconds. */
  readonly fudge: number;
  readonly mac: Buffer;
  readonly originalId: number;
  readonly error: number;
  readonly other: Buffer;
}

/**
 * Signs a request.
 *
 * @param message without a signature
 * @param time seconds since 1970
 * @param fudge seconds
 * @see https://www.rfc-editor.org/rfc/rfc8945#section-4
 */
export function sign(message: Buffer, key: TsigKey, time: number, fudge = recommendedFudge): Signed {
  const tsig = { keyName: key.name, algorithm: key.algorithm, time, fudge, error: 0, other: Buffer.alloc(0) };
  const mac = macOf(key, [message, variablesOf(tsig)]);
  const bytes = Buffer.concat([message, recordOf({ ...tsig, mac, originalId: message.readUInt16BE(0) })]);
  bytes.writeUInt16BE(message.readUInt16BE(additionalCount) + 1, additionalCount);
  return { bytes, mac };
}

/**
 * Verifies the signature of a response.
 *
 * @param requestMac the signature of the request
 * @param time seconds since 1970
 * @throws {MalformedMessageError} if the signature has no valid form
 * @see https://www.rfc-editor.org/rfc/rfc8945#section-5.3
 */
export function verify(response: ReceivedMessage, key: TsigKey, requestMac: Buffer, time: number): Verification {
  const record = tsigRecordIn(response);
  if (!record) return { result: 'unsigned' };
  const tsig = tsigIn(record);
  const error = tsigErrors[tsig.error];
  if (tsig.mac.length === 0 && error) return { result: 'rejected', error };
  if (tsig.keyName !== key.name || tsig.algorithm !== key.algorithm)
    return invalid('it is of another key or algorithm');
  if (tsig.mac.length !== key.length) return invalid('it is truncated');
  if (!timingSafeEqual(tsig.mac, macOf(key, [sized(requestMac), unsigned(response, record, tsig), variablesOf(tsig)])))
    return invalid('it does not match');
  if (error === 'BADTIME' && tsig.other.length === 6)
    return { result: 'rejected', error, serverTime: tsig.other.readUIntBE(0, 6) };
  if (error) return { result: 'rejected', error };
  if (tsig.error !== 0) return invalid(`it reports the unknown error ${tsig.error}`);
  if (Math.abs(time - tsig.time) > tsig.fudge) return invalid(`its time differs by more than ${tsig.fudge} s`);
  return { result: 'verified' };
}

/** Offset of the number of additional records in a header. */
const additionalCount = 10;

function invalid(why: string): Verification {
  return { result: 'invalid', why };
}

function macOf({ hash, secret }: TsigKey, parts: readonly Buffer[]): Buffer {
  const hmac = createHmac(hash, secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** @throws {MalformedMessageError} if a signature is not the last record */
function tsigRecordIn({ answers, authorities, additionals }: ReceivedMessage): ReceivedRecord | undefined {
  const record = [...answers, ...authorities, ...additionals].find(({ type }) => type === types.tsig);
  if (!record) return undefined;
  if (additionals.at(-1) !== record || record.class !== classes.any)
    throw new MalformedMessageError('the signature is not the last record');
  return record;
}

function tsigIn({ name, data }: ReceivedRecord): Tsig {
  const reader = data();
  const tsig = {
    keyName: name,
    algorithm: readName(reader),
    time: reader.uint(6),
    fudge: reader.uint(2),
    mac: reader.take(reader.uint(2)),
    originalId: reader.uint(2),
    error: reader.uint(2),
    other: reader.take(reader.uint(2)),
  };
  reader.finish('the signature');
  return tsig;
}

/** The message as it was before it was signed. */
function unsigned({ bytes, additionals }: ReceivedMessage, { start }: ReceivedRecord, { originalId }: Tsig): Buffer {
  const message = Buffer.from(bytes.subarray(0, start));
  message.writeUInt16BE(originalId, 0);
  message.writeUInt16BE(additionals.length - 1, additionalCount);
  return message;
}

function sized(bytes: Buffer): Buffer {
  const writer = new Writer();
  writer.sized(() => writer.put(bytes));
  return writer.bytes;
}

/** What a signature covers beside the message. */
function variablesOf(tsig: Omit<Tsig, 'mac' | 'originalId'>): Buffer {
  const writer = new Writer();
  writeName(writer, tsig.keyName, false);
  writer.uint(classes.any, 2);
  writer.uint(0, 4);
  writeTimes(writer, tsig);
  writer.uint(tsig.error, 2);
  writer.sized(() => writer.put(tsig.other));
  return writer.bytes;
}

function recordOf(tsig: Tsig): Buffer {
  const writer = new Writer();
  writeName(writer, tsig.keyName, false);
  writer.uint(types.tsig, 2);
  writer.uint(classes.any, 2);
  writer.uint(0, 4);
  writer.sized(() => {
    writeTimes(writer, tsig);
    writer.sized(() => writer.put(tsig.mac));
    writer.uint(tsig.originalId, 2);
    writer.uint(tsig.error, 2);
    writer.sized(() => writer.put(tsig.other));
  });
  return writer.bytes;
}

function writeTimes(writer: Writer, { algorithm, time, fudge }: Pick<Tsig, 'algorithm' | 'time' | 'fudge'>): void {
  writeName(writer, algorithm, false);
  writer.uint(time, 6);
  writer.uint(fudge, 2);
}
