import type { KeyKind } from '../../../certificates/reading.js';
import type { Port } from '../../../runtime/index.js';

/** A certificate and its private key, PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** The certificate authority that an issuer lacks. */
export interface AuthorityQuestion {
  readonly commonName: string;
  readonly privateKey: KeyKind;
  /** Milliseconds. */
  readonly duration: number;
  /** Fingerprints of the CAs that it follows, so that each CA is another question. Empty for the first one. */
  readonly follows: string;
}

/** Generates certificate authorities. Each answer differs, so the controller stores it in a Secret. */
export const authority: Port<AuthorityQuestion, KeyPair> = { name: 'reconstruct/certificate-authority' };
