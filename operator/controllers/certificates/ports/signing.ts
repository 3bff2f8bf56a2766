import type { SubjectNames } from '../../../certificates/reading.js';
import type { Usage } from '../../../certificates/usages.js';
import type { Port } from '../../../runtime/index.js';

/** A certificate to sign. It has no secret: the key of the CA is in the Secret that the poll names. */
export interface SigningQuestion {
  /** SubjectPublicKeyInfo, in base64. */
  readonly publicKey: string;
  readonly names: SubjectNames;
  readonly usages: readonly Usage[];
  readonly isCA: boolean;
  /** Milliseconds. */
  readonly duration: number;
  /** SHA-256 fingerprint of the CA certificate that must sign. */
  readonly authority: string;
  /** Serial number of the certificate that is replaced, so that each renewal is another question. Empty for the first. */
  readonly replaces: string;
  /** When the certificate that is replaced expires, in milliseconds since 1970. The earliest one is signed first. */
  readonly expires: number;
}

/** A signed certificate. */
export interface SigningAnswer {
  /** Without its chain, PEM. */
  readonly certificate: string;
}

/** Signs certificates with the key of a CA in a Secret. */
export const signing: Port<SigningQuestion, SigningAnswer> = {
  name: 'reconstruct/certificate-signing',
  secrets: 'any',
};
