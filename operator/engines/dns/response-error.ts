import { CallError, type CallErrorKind, type CallErrorOptions } from '../../runtime/ports/external-call.js';
import type { TsigError, Verification } from './tsig.js';

/** A response that reports a failure, or that proves nothing. */
export class ResponseError extends CallError {
  constructor(
    /** The name of the result code or of the signature's error, such as `REFUSED` or `BADKEY`. */
    readonly code: string,
    kind: CallErrorKind,
    message: string,
    options?: CallErrorOptions,
  ) {
    super(kind, message, options);
  }
}

interface Meaning {
  readonly code: string;
  /** @default terminal */
  readonly kind?: CallErrorKind;
  readonly message: string;
}

/** Result codes by their numbers. @see https://www.iana.org/assignments/dns-parameters */
const meanings: Readonly<Record<number, Meaning>> = {
  1: { code: 'FORMERR', message: 'the server cannot read the request' },
  2: { code: 'SERVFAIL', kind: 'retryable', message: 'the server failed; see its log' },
  3: { code: 'NXDOMAIN', message: 'a name that must have records has none' },
  4: { code: 'NOTIMP', message: 'the server must support the request' },
  5: { code: 'REFUSED', message: 'the policy of the server must allow the request' },
  6: { code: 'YXDOMAIN', message: 'a name that must have no records has some' },
  7: { code: 'YXRRSET', message: 'a name that must have no records of a type has some' },
  8: { code: 'NXRRSET', message: 'a name must have records of a type, and it has none or others' },
  9: { code: 'NOTAUTH', message: 'the server must be authoritative for the zone' },
  10: { code: 'NOTZONE', message: 'all names must be in the zone' },
};

/** Where a response is from, for the message of an error. */
export interface Respondent {
  /** Address and port. */
  readonly at: string;
  /** The name of the key. */
  readonly key?: string;
}

/** The failure that a result code reports. @param rcode must not be 0 */
export function rcodeError(rcode: number, { at, key }: Respondent): ResponseError {
  const { code, kind = 'terminal', message } = meanings[rcode] ?? { code: `RCODE${rcode}`, message: 'it is not known' };
  const isOfKey = code === 'REFUSED' && key !== undefined;
  return new ResponseError(code, kind, `${at} answered ${code}: ${message}${isOfKey ? ` with the key ${key}` : ''}`);
}

/**
 * The failure of a response without a valid signature.
 * @param rcode only a hint for people, because anybody can have sent it
 */
export function signatureError(
  verification: Exclude<Verification, { result: 'verified' }>,
  rcode: number,
  { at, key = '' }: Respondent,
  time: number,
): ResponseError {
  if (verification.result === 'rejected') {
    const { error, serverTime = time } = verification;
    const advice: Readonly<Record<TsigError, string>> = {
      BADKEY: `the server must have the key ${key} with the same algorithm`,
      BADSIG: `the secret of the key ${key} must be that of the server`,
      // Without the number of seconds, which differs each time.
      BADTIME: `the clock of the server is too far ${serverTime < time ? 'behind' : 'ahead'}; synchronize the clocks`,
      BADTRUNC: 'the server accepts only shorter signatures',
    };
    return new ResponseError(error, 'unauthorized', `${at} answered ${error}: ${advice[error]}`);
  }
  const { code = `RCODE${rcode}` } = rcode === 0 ? { code: 'NOERROR' } : (meanings[rcode] ?? {});
  if (verification.result === 'unsigned') {
    const message = `${at} answered ${code} without a signature: it must know the key ${key}`;
    return new ResponseError(code, rcode === 0 ? 'retryable' : 'unauthorized', message, { mayHaveEffect: rcode === 0 });
  }
  const message = `${at} answered ${code} with an invalid signature: ${verification.why}`;
  return new ResponseError(code, 'retryable', message);
}
