import type { X509Certificate } from 'node:crypto';
import type { CertificateResource } from '../../../../imports/index.js';
import { fingerprintOf, isOfKind, parsed, serialNumberOf, validityOf } from '../../../certificates/reading.js';
import { canIssue, type IssuerState, issuerStateOf, sentences } from '../issuer-reference/issuer-state.js';
import { requestIn } from '../request/certificate-request.js';
import { passwordProblem } from '../secrets/keystores.js';
import { isPair, type TlsTexts, tlsTextsIn } from '../secrets/texts.js';
import { type CertificateView, nextKeyIn, ownSecretIn, type StableView } from './view.js';

/** What decides whether a certificate must be issued, without the time and the answers of external sources. */
export interface StableSituation {
  readonly resource: CertificateResource;
  /** Undefined if the Secret does not exist. */
  readonly secret?: TlsTexts | undefined;
  /** The first certificate of the Secret, if it can be parsed. */
  readonly certificate?: X509Certificate | undefined;
  readonly issuer: IssuerState;
  /** The stored key of the certificate that is being issued. @default - none is stored */
  readonly nextKey?: string | undefined;
}

/** What the next step of a Certificate follows from. */
export interface Situation extends StableSituation {
  readonly polled: CertificateView['polled'];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Annotation that asks for another certificate now. Each new value asks for one. */
export const renewAnnotation = 'reconstruct.dev/renew';

/** What the next step of a Certificate follows from. */
export function situationOf(view: CertificateView): Situation {
  return { ...stableSituationOf(view), polled: view.polled, now: view.now.getTime() };
}

/** What decides whether a certificate must be issued. */
export function stableSituationOf(view: StableView): StableSituation {
  const { resource } = view;
  const secret = restored({ secret: tlsTextsIn(ownSecretIn(view)), resource });
  return { resource, secret, certificate: leafIn(secret), issuer: issuerOf(view), nextKey: nextKeyIn(view) };
}

/** Characters of a serial number in a status. RFC 5280 allows 40. */
const longestSerial = 64;

/** The first certificate. One with a serial number that no status can have counts as unreadable. */
function leafIn(secret: TlsTexts | undefined): X509Certificate | undefined {
  const certificate = parsed(secret?.certificate ?? '');
  return certificate && serialNumberOf(certificate).length <= longestSerial ? certificate : undefined;
}

/** The issuer. A problem of the password is reported beside that of the issuer. */
function issuerOf({ resource, reads: found }: StableView): IssuerState {
  const issuer = issuerStateOf(resource.spec, found);
  const problem = passwordProblem(resource.spec, found.password);
  if (!problem) return issuer;
  return canIssue(issuer) ? problem : { ...problem, message: sentences(problem.message, issuer.message) };
}

/**
 * The pair that the Secret has. If the certificate does not belong to the key, or if its chain was edited, the one of the
 * status may do.
 */
export function restored({ secret, resource }: Pick<StableSituation, 'secret' | 'resource'>): TlsTexts | undefined {
  const saved = resource.status?.certificate;
  if (!secret || saved === undefined) return secret;
  const isAnother = firstOf(secret.certificate) !== firstOf(saved);
  if (isAnother && isPair(secret.certificate, secret.key)) return secret;
  return isPair(saved, secret.key) ? { ...secret, certificate: saved } : secret;
}

function firstOf(text: string): string | undefined {
  const known = parsed(text);
  return known && fingerprintOf(known);
}

/** The serial number of the certificate in the Secret. Empty if it has none. */
export function serialIn({ certificate }: Pick<StableSituation, 'certificate'>): string {
  return certificate ? serialNumberOf(certificate) : '';
}

/**
 * The last request that a certificate was issued for. It is recorded before the certificate is issued, so it also counts
 * if an operator was stopped between the write of the Secret and that of the status.
 */
export function answeredRequestIn({
  resource: { status },
  certificate,
}: Pick<StableSituation, 'resource' | 'certificate'>): string | undefined {
  const { issuing, requested } = status ?? {};
  const isIssued = issuing && certificate && serialNumberOf(certificate) !== (issuing.replaces ?? '');
  return (isIssued ? issuing.requested : undefined) ?? requested;
}

/** Whether the certificate expires with its CA, so that another one would be no better. */
export function endsWithAuthority({ certificate, issuer }: StableSituation): boolean {
  if (!certificate || issuer.is !== 'available') return false;
  return validityOf(certificate).to >= validityOf(issuer.signer).to;
}

/**
 * Whether the certificate that the status records is still to be issued. False if the certificate has been replaced
 * meanwhile.
 */
export function isAwaited(situation: StableSituation): boolean {
  const { resource, issuer } = situation;
  const { issuing } = resource.status ?? {};
  if (!issuing || resource.metadata.deletionTimestamp !== undefined) return false;
  return canIssue(issuer) && (issuing.replaces ?? '') === serialIn(situation);
}

/** The stored key that the next certificate is for. Undefined until there is one. */
export function keyForNext({ secret, resource, nextKey = '' }: StableSituation): string | undefined {
  const { privateKey } = requestIn(resource.spec);
  const isAsWanted = (key: string) => isOfKind(key, privateKey);
  const stays = resource.spec.privateKey.rotation === 'Never';
  if (stays && secret && isAsWanted(secret.key)) return secret.key;
  return isAsWanted(nextKey) ? nextKey : undefined;
}
