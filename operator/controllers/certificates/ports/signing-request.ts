import type { SubjectNames } from '../../../certificates/reading.js';
import type { Port } from '../../../runtime/index.js';

/** A certificate signing request to sign. The private key is in the Secret that the poll names, under `tls.key`. */
export interface SigningRequestQuestion {
  /** SubjectPublicKeyInfo of the key, in base64. */
  readonly publicKey: string;
  readonly names: SubjectNames;
}

/** A signed request: PKCS #10. */
export interface SigningRequestAnswer {
  /** PEM. */
  readonly csr: string;
}

/** Signs certificate signing requests. Each signature differs, so an answer is kept. */
export const signingRequest: Port<SigningRequestQuestion, SigningRequestAnswer> = {
  name: 'reconstruct/certificate-request',
  secrets: 'any',
};
