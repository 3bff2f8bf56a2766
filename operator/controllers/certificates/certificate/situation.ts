import type { X509Certificate } from 'node:crypto';
import type { CertificateResource } from '../../../../imports/index.js';
import { certifiedKeyOf, fingerprintOf, parsed, publicKeyOf, serialNumberOf } from '../../../certificates/reading.js';
import type { IssuerState } from './issuer-state.js';

/** The texts of a Secret with a certificate. Empty if they are missing. */
export interface TlsTexts {
  readonly certificate: string;
  readonly key: string;
  readonly trusted: string;
}

/** What decides whether a certificate must be issued. */
export interface Situation {
  readonly resource: CertificateResource;
  /** Undefined if the Secret does not exist. */
  readonly secret?: TlsTexts | undefined;
  /** The first certificate of the Secret, if it can be parsed. */
  readonly certificate?: X509Certificate | undefined;
  readonly issuer: IssuerState;
}

/** Annotation that asks for another certificate now. Each new value asks for one. */
export const renewAnnotation = 'reconstruct.dev/renew';

/**
 * The last request that a certificate was issued for. It is recorded before the certificate is issued, so it also counts
 * if an operator was stopped between the write of the Secret and that of the status.
 */
export function answeredRequestIn({
  resource: { status },
  certificate,
}: Pick<Situation, 'resource' | 'certificate'>): string | undefined {
  const { issuing, requested } = status ?? {};
  const isIssued = issuing && certificate && serialNumberOf(certificate) !== (issuing.replaces ?? '');
  return (isIssued ? issuing.requested : undefined) ?? requested;
}

/** Whether an ACME server decides about usages and validity. */
export function isOrdered({ resource: { status }, issuer }: Pick<Situation, 'resource' | 'issuer'>): boolean {
  return issuer.is === 'acme' || (issuer.is !== 'available' && status?.server !== undefined);
}

/**
 * The pair that the Secret has. If the certificate does not belong to the key, or if its chain was edited, the one of the
 * status may do.
 */
export function restored({ secret, resource }: Pick<Situation, 'secret' | 'resource'>): TlsTexts | undefined {
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

/** Whether a key is that of a certificate. */
export function isPair(certificate: string, key: string): boolean {
  const known = parsed(certificate);
  return known !== undefined && publicKeyOf(key) === certifiedKeyOf(known);
}
