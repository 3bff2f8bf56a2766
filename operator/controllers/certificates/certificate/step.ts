import {
  certificatesIn,
  isOfKind,
  isSignedBy,
  parsed,
  publicKeyOf,
  serialNumberOf,
  validityOf,
} from '../../../certificates/reading.js';
import { type OrderStep, orderAsked, orderStepOf } from '../order/order-step.js';
import type { OrderQuestion } from '../ports/acme.js';
import type { PrivateKeyQuestion } from '../ports/private-key.js';
import type { SigningQuestion } from '../ports/signing.js';
import type { SigningRequestQuestion } from '../ports/signing-request.js';
import { rejectionOf } from './answer.js';
import { type Cause, causeOf } from './checks.js';
import { canIssue } from './issuer-state.js';
import { requestIn } from './request.js';
import type { Situation, TlsTexts } from './situation.js';
import { type CertificateView, nextKeyIn, type StableView, situationOf } from './view.js';

/** The next safe step of a Certificate. */
export interface Step {
  /** What the Secret must have. Undefined if it does not exist and nothing can be written yet. */
  readonly secret?: TlsTexts | undefined;
  /** The key of the certificate that is being issued, which must be stored. */
  readonly nextKey?: string | undefined;
  readonly cause?: Cause | undefined;
  /** Why the answer of the issuer cannot be used. */
  readonly rejection?: string | undefined;
  /** The next step of the order at an ACME server. */
  readonly order?: OrderStep | undefined;
}

/** What is asked while a certificate is being issued. */
export interface Questions {
  readonly privateKey?: PrivateKeyQuestion;
  readonly signing?: SigningQuestion;
  readonly request?: SigningRequestQuestion;
  readonly order?: OrderQuestion;
}

/**
 * The questions of a Certificate whose status records that a certificate is being issued: first a key, and after the key
 * is stored, the certificate. Nothing is asked if the certificate has been replaced meanwhile.
 */
export function questionsOf(view: StableView): Questions {
  const { resource } = view;
  const { issuing } = resource.status ?? {};
  if (!issuing || resource.metadata.deletionTimestamp !== undefined) return {};
  const situation = situationOf(view);
  const { issuer } = situation;
  const replaces = serialIn(situation);
  if (!canIssue(issuer) || (issuing.replaces ?? '') !== replaces) return {};
  const key = keyFor(view, situation);
  const request = requestIn(resource.spec);
  const publicKey = key === undefined ? undefined : publicKeyOf(key);
  if (publicKey === undefined) return { privateKey: { ...request.privateKey, replaces } };
  const { names, usages, isCA, duration } = request;
  if (issuer.is === 'acme') return { request: { publicKey, names }, order: orderAsked(resource, issuer) };
  const expires = situation.certificate ? validityOf(situation.certificate).to : 0;
  return { signing: { publicKey, names, usages, isCA, duration, authority: issuer.fingerprint, replaces, expires } };
}

/** The serial number of the certificate in the Secret. Empty if it has none. */
export function serialIn({ certificate }: Pick<Situation, 'certificate'>): string {
  return certificate ? serialNumberOf(certificate) : '';
}

/** The stored key that the next certificate is for. Undefined until there is one. */
function keyFor(view: StableView, { secret, resource }: Situation): string | undefined {
  const { privateKey } = requestIn(resource.spec);
  const isAsWanted = (key: string) => isOfKind(key, privateKey);
  const stays = resource.spec.privateKey.rotation === 'Never';
  if (stays && secret && isAsWanted(secret.key)) return secret.key;
  const next = nextKeyIn(view);
  return isAsWanted(next) ? next : undefined;
}

/** The next step. Without a record in the status, the Secret stays as it is, whatever the time. */
export function stepOf(view: CertificateView): Step {
  const situation = situationOf(view);
  const { issuer, resource } = situation;
  const kept = keptOf(situation);
  if (resource.status?.issuing === undefined || !canIssue(issuer)) return { secret: kept };
  const now = view.now.getTime();
  const cause = causeOf(situation, now);
  if (!cause) return { secret: kept };
  const key = keyFor(view, situation);
  const nextKey = key === situation.secret?.key ? undefined : key;
  if (key === undefined) {
    const { privateKey } = view.polled;
    const generated = privateKey?.known ? privateKey.value.key : undefined;
    return { secret: kept, cause, nextKey: generated };
  }
  if (issuer.is === 'acme') {
    const order = orderStepOf(view, issuer, publicKeyOf(key) ?? '');
    if (order.checked === undefined) return { secret: kept, nextKey, cause, order };
    return { secret: { certificate: order.checked, key, trusted: '' }, cause };
  }
  const { signed } = view.polled;
  const { signing } = questionsOf(view);
  if (!signed?.known || !signing) return { secret: kept, nextKey, cause };
  const { certificate } = signed.value;
  const rejection = rejectionOf(certificate, { question: signing, request: requestIn(resource.spec), issuer, now });
  if (rejection !== undefined) return { secret: kept, nextKey, cause, rejection };
  return { secret: { certificate: `${certificate}${issuer.chain}`, key, trusted: issuer.trusted }, cause };
}

/**
 * What the Secret has, with the present CA certificates. Those of another issuer replace the earlier ones only together
 * with the certificate.
 */
function keptOf({ secret, certificate, issuer }: Situation): TlsTexts | undefined {
  if (!secret || issuer.is !== 'available') return secret;
  const authorities = certificatesIn(`${issuer.chain}${issuer.trusted}`).flatMap((pem) => parsed(pem) ?? []);
  const isTrusted = certificate === undefined || authorities.some((authority) => isSignedBy(certificate, authority));
  return isTrusted ? { ...secret, trusted: issuer.trusted } : secret;
}
