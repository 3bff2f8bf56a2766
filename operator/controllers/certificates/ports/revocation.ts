import type { Port } from '../../../runtime/index.js';

/** A certificate revocation list to sign. The key of the CA is in the Secret that the poll names. */
export interface RevocationQuestion {
  /** Serial numbers in lower-case hexadecimal digits, sorted. */
  readonly revoked: readonly string[];
  /** Greater than the number of each earlier list. */
  readonly number: number;
  /** SHA-256 fingerprint of the CA certificate that must sign. */
  readonly authority: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Milliseconds since 1970. */
  readonly to: number;
}

/** A signed list. */
export interface RevocationAnswer {
  /** PEM. */
  readonly list: string;
}

/** Signs certificate revocation lists. */
export const revocation: Port<RevocationQuestion, RevocationAnswer> = {
  name: 'reconstruct/certificate-revocation',
  secrets: 'any',
};
