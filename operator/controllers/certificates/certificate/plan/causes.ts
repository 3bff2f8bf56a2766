import { isOfKind, isSignedBy, publicKeyOf, serialNumberOf, validityOf } from '../../../../certificates/reading.js';
import { backdatedBy, isAhead } from '../../../../certificates/times.js';
import { annotatedRequest } from '../../../../consumers/request-annotation.js';
import { isOrdered } from '../../issuer-reference/issuer-state.js';
import { renewalTimeIn } from '../../renewal/renewal-info.js';
import { differenceOf, nameDifferenceOf, requestIn } from '../../request/certificate-request.js';
import { isPair } from '../../secrets/texts.js';
import { answeredRequestIn, endsWithAuthority, renewAnnotation, type StableSituation } from '../situation.js';

/** Why a certificate must be issued. */
export interface Cause {
  readonly reason:
    | 'SecretMissing'
    | 'KeyMissing'
    | 'KeyMismatch'
    | 'NotYetValid'
    | 'IssuerChanged'
    | 'SpecChanged'
    | 'Expiring'
    | 'Requested';
  readonly message: string;
}

/** A check of what the Secret has. `now` is in milliseconds since 1970. */
type Check = (situation: StableSituation, now: number) => Cause | undefined;

/** The checks, in the order in which they decide. */
const checks: readonly Check[] = [
  ({ secret }) => (secret ? undefined : { reason: 'SecretMissing', message: 'The Secret does not exist' }),

  ({ secret }) =>
    secret?.key && publicKeyOf(secret.key) !== undefined
      ? undefined
      : { reason: 'KeyMissing', message: 'The Secret has no usable private key in tls.key' },

  ({ secret, certificate }) =>
    certificate && secret && isPair(secret.certificate, secret.key)
      ? undefined
      : { reason: 'KeyMismatch', message: 'The Secret has no certificate for its private key in tls.crt' },

  ({ certificate }, now) =>
    certificate && isAhead(validityOf(certificate).from, now)
      ? { reason: 'NotYetValid', message: 'The validity of the certificate starts in the future' }
      : undefined,

  ({ certificate, issuer }) =>
    !certificate || issuer.is !== 'available' || isSignedBy(certificate, issuer.signer)
      ? undefined
      : { reason: 'IssuerChanged', message: 'Another CA signed the certificate than the one of the issuer' },

  ({ resource: { status }, certificate, issuer }) => {
    if (!certificate || issuer.is !== 'acme' || status?.server === issuer.account.directory) return undefined;
    // Without a status of this certificate, it is not known who issued it.
    return status?.serialNumber === serialNumberOf(certificate)
      ? { reason: 'IssuerChanged', message: 'The certificate is not from the ACME server of the issuer' }
      : undefined;
  },

  (situation) => {
    const { resource, certificate } = situation;
    const request = requestIn(resource.spec);
    const difference = certificate && (isOrdered(situation) ? nameDifferenceOf : differenceOf)(certificate, request);
    return difference ? { reason: 'SpecChanged', message: `The certificate ${difference} than spec` } : undefined;
  },

  ({ resource, secret }) => {
    const { privateKey } = requestIn(resource.spec);
    return isOfKind(secret?.key ?? '', privateKey)
      ? undefined
      : { reason: 'SpecChanged', message: 'The private key has another algorithm or size than spec.privateKey' };
  },

  (situation) => {
    const { resource, certificate } = situation;
    const { duration } = requestIn(resource.spec);
    if (!certificate || isOrdered(situation)) return undefined;
    const { from, to } = validityOf(certificate);
    return to - from <= duration + backdatedBy(duration) + 1000
      ? undefined
      : { reason: 'SpecChanged', message: 'The certificate is valid for longer than spec.duration' };
  },

  (situation, now) => {
    const { certificate } = situation;
    if (!certificate || endsWithAuthority(situation)) return undefined;
    return now < renewalTimeIn(certificate, situation)
      ? undefined
      : { reason: 'Expiring', message: 'The certificate is due for renewal' };
  },

  (situation) => {
    const request = annotatedRequest(situation.resource.metadata, renewAnnotation);
    return request === undefined || request === answeredRequestIn(situation)
      ? undefined
      : { reason: 'Requested', message: 'A renewal was requested' };
  },
];

/** The first cause. Undefined if the certificate can stay. */
export function causeOf(situation: StableSituation, now: number): Cause | undefined {
  for (const check of checks) {
    const cause = check(situation, now);
    if (cause) return cause;
  }
  return undefined;
}
