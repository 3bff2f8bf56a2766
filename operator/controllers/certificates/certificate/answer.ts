import { certifiedKeyOf, isSignedBy, parsed, validityOf } from '../../../certificates/reading.js';
import type { SigningQuestion } from '../ports/signing.js';
import type { AvailableIssuer } from './issuer-state.js';
import { type CertificateRequest, differenceOf } from './request.js';

/** What an issuer was asked for. */
export interface Expected {
  readonly question: Pick<SigningQuestion, 'publicKey'>;
  readonly request: CertificateRequest;
  readonly issuer: Pick<AvailableIssuer, 'signer'>;
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
