import type { X509Certificate } from 'node:crypto';
import { certificatesIn, certifiedKeyOf, isSignedBy, parsed, validityOf } from '../../../certificates/reading.js';
import type { SigningQuestion } from '../ports/signing.js';
import { type CertificateRequest, differenceOf, nameDifferenceOf } from './certificate-request.js';

/** What an issuer was asked for. */
export interface Expected {
  readonly question: Pick<SigningQuestion, 'publicKey'>;
  readonly request: CertificateRequest;
  readonly issuer: { readonly signer: X509Certificate };
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What an ACME server was asked for. */
export interface ExpectedChain extends Pick<SigningQuestion, 'publicKey'> {
  readonly request: CertificateRequest;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Why a signed certificate must not replace the one that serves. Undefined if it can. */
export function rejectionOf(answer: string, { question, request, issuer, now }: Expected): string | undefined {
  const certificate = parsed(answer);
  if (!certificate) return 'it is not a certificate in PEM format';
  if (certifiedKeyOf(certificate) !== question.publicKey) return 'it is for another public key';
  const difference = differenceOf(certificate, request);
  if (difference) return `it ${difference}`;
  if (!isSignedBy(certificate, issuer.signer)) return 'another CA signed it';
  const { from, to } = validityOf(certificate);
  if (to <= now) return 'it has expired';
  return from > now ? 'its validity has not started' : undefined;
}

/** Why a chain must not replace the certificate that serves. The server decides about usages and validity. */
export function chainRejection(chain: string, { publicKey, request, now }: ExpectedChain): string | undefined {
  const [certificate, signer] = certificatesIn(chain).map(parsed);
  if (!certificate) return 'it is not a certificate in PEM format';
  if (certifiedKeyOf(certificate) !== publicKey) return 'it is for another public key';
  const difference = nameDifferenceOf(certificate, request);
  if (difference) return `it ${difference}`;
  if (signer && !isSignedBy(certificate, signer)) return 'its chain has another CA than the one that signed it';
  const { from, to } = validityOf(certificate);
  if (to <= now) return 'it has expired';
  return from > now ? 'its validity has not started' : undefined;
}
