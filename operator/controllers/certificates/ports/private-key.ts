import type { KeyKind } from '../../../certificates/reading.js';
import type { Port } from '../../../runtime/index.js';

/** The private key that a Certificate lacks. */
export interface PrivateKeyQuestion extends KeyKind {
  /** Serial number of the certificate that is replaced, so that each renewal is another question. Empty for the first. */
  readonly replaces: string;
}

/** A generated key. */
export interface PrivateKeyAnswer {
  /** PKCS #8, PEM. */
  readonly key: string;
}

/** Generates private keys. Each answer differs, so the controller stores it in a Secret before it is used. */
export const privateKey: Port<PrivateKeyQuestion, PrivateKeyAnswer> = { name: 'reconstruct/private-key' };
